import * as z from 'zod';
import { type ItemKey, itemKeys, partitions } from '../keys.ts';
import { fileFolders, fileKeys, filePrefixes, ownerOfFile } from '../transfers/file-keys.ts';
import { isGivenUp, transferStateIn } from '../transfers/transfer-store.ts';
import { uploadIn } from '../transfers/upload-store.ts';
import type { DataSubject, Stores, Trace } from './trace.ts';
import { rowsOf } from './walk.ts';

/** The files of a deployment. */
export interface SubjectFiles {
  list(prefix: string): AsyncIterable<string>;
  lines(key: string): AsyncIterable<string>;
  remove(key: string): Promise<void>;
}

/** An import or export that still reads or writes its files. */
const underWay = z.object({ status: z.enum(['waiting', 'processing']) });

/** Uploaded attachments, imports and exports. A file with one line about the person is deleted as a whole: each is gone after 7 days in any case. */
export const fileTraces = ({ table }: Stores, files: SubjectFiles) => {
  const remove = async (...keys: readonly ItemKey[]): Promise<true> => {
    for (const key of keys) await table.remove(key);
    return true;
  };

  /** Asked when something is erased: an import may have begun since traces were looked for. */
  const isUnderWay = async ({ account, cipher }: DataSubject, id: string, nowMs: number): Promise<boolean> => {
    const item = await table.get(itemKeys.transfer(account.id, id));
    if (!item || isGivenUp(item, nowMs)) return false;
    return underWay.safeParse(transferStateIn(cipher, item)).success;
  };

  const transferTraces = async (subject: DataSubject): Promise<Trace[]> => {
    const { account, cipher, mentions } = subject;
    const traces: Trace[] = [];
    for await (const item of rowsOf(table, partitions.transfers(account.id))) {
      const [id, state] = [String(item['SK']), transferStateIn(cipher, item)];
      const erase = async (nowMs: number) =>
        !(await isUnderWay(subject, id, nowMs)) && remove(itemKeys.transfer(account.id, id));
      if (mentions(state)) traces.push({ kind: 'transfer', holds: { id, kind: item['kind'], state }, erase });
    }
    return traces;
  };

  const attachmentTraces = async ({ account, cipher, mentions }: DataSubject): Promise<Trace[]> => {
    const traces: Trace[] = [];
    for await (const item of rowsOf(table, partitions.uploads(account.id))) {
      const [id, upload] = [String(item['SK']), uploadIn(cipher, item)];
      const erase = async () => {
        await files.remove(fileKeys.attachment(account.id, id));
        return remove(itemKeys.upload(account.id, id));
      };
      if (mentions(upload)) traces.push({ kind: 'attachment', holds: { id, ...upload }, erase });
    }
    return traces;
  };

  /** The header and the lines about the person; undefined when there are none. */
  const linesIn = async ({ mentions }: DataSubject, key: string): Promise<string[] | undefined> => {
    const found: string[] = [];
    let header: string | undefined;
    for await (const line of files.lines(key)) {
      header ??= line;
      if (mentions(line)) found.push(line);
    }
    return found.length === 0 ? undefined : [...new Set([header ?? '', ...found])];
  };

  return async (subject: DataSubject): Promise<Trace[]> => {
    const { account } = subject;
    const traces = await transferTraces(subject);
    for (const prefix of filePrefixes(account.id))
      for await (const key of files.list(prefix)) {
        const lines = await linesIn(subject, key);
        const id = ownerOfFile(key);
        const owner = key.startsWith(fileFolders.attachments)
          ? itemKeys.upload(account.id, id)
          : itemKeys.transfer(account.id, id);
        const erase = async (nowMs: number) => {
          if (await isUnderWay(subject, id, nowMs)) return false;
          await files.remove(key);
          return remove(owner);
        };
        if (lines) traces.push({ kind: 'file', holds: { key, lines }, erase });
      }
    return [...traces, ...(await attachmentTraces(subject))];
  };
};
