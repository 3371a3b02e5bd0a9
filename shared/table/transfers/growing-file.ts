import { randomUUID } from 'node:crypto';
import type { FileStore } from '../../aws/file-store.ts';
import type { Growth } from '../../transfers/growth.ts';

/** S3 takes no smaller part but the last. */
const smallestPart = 5 * 1024 * 1024;

type Files = Pick<FileStore, 'put' | 'read' | 'bytesOf' | 'beginParts' | 'putPart' | 'completeParts'>;

/**
 * A file that grows over several runs, of which one at a time writes. Memory holds one part of it at most. What is not kept by `keep` is
 * written again by the next run; what a crash leaves behind, parts of no file among it, the bucket's lifecycle removes after 7 days.
 */
export const growFile = async (files: Files, key: string, before: Growth, partBytes = smallestPart) => {
  let upload = before.upload;
  const tags = [...before.tags];
  let waiting: Buffer[] = before.rest === undefined ? [] : [(await files.read(before.rest)) ?? Buffer.alloc(0)];
  let waitingBytes = waiting.reduce((sum, { length }) => sum + length, 0);

  const putPart = async (): Promise<string> => {
    upload ??= await files.beginParts(key);
    tags.push(await files.putPart(key, upload, tags.length + 1, Buffer.concat(waiting)));
    [waiting, waitingBytes] = [[], 0];
    return upload;
  };

  return {
    append: async (text: string): Promise<void> => {
      const bytes = Buffer.from(text);
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= partBytes) await putPart();
    },

    /** What the next run begins with. */
    keep: async (): Promise<Growth> => {
      if (waitingBytes === 0) return { upload, tags };
      const rest = `${key}.${randomUUID()}`;
      await files.put(rest, Buffer.concat(waiting));
      return { upload, tags, rest };
    },

    /** The file exists from now on. Completed again from what was kept before, it stays as it is. */
    complete: async (): Promise<void> => {
      if ((await files.bytesOf(key)) !== undefined) return;
      if (upload === undefined) await files.put(key, Buffer.concat(waiting));
      else await files.completeParts(key, waitingBytes > 0 ? await putPart() : upload, tags);
    },
  };
};
