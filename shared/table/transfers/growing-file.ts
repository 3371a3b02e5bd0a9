import { randomUUID } from 'node:crypto';
import type { FileStore } from '../../aws/file-store.ts';
import { InternalError } from '../../kit/internal-error.ts';
import type { Growth } from '../../transfers/growth.ts';

/** S3 takes no smaller part but the last. */
const smallestPart = 5 * 1024 * 1024;

type Files = Pick<FileStore, 'put' | 'read' | 'bytesOf' | 'beginParts' | 'putPart' | 'completeParts'>;

/** @throws InternalError when it is gone: the file would have neither its rows nor a sign of that */
const keptIn = async (files: Files, { rest }: Growth): Promise<Buffer> => {
  const kept = rest === undefined ? Buffer.alloc(0) : await files.read(rest);
  if (!kept) throw new InternalError('what was kept of a file is gone');
  return kept;
};

/**
 * A file that grows over several runs, of which one at a time is kept. Only what an earlier run has kept becomes a part: a job may come twice at
 * once, and then both put the same bytes, so that neither spoils the part of the other. Memory holds two parts of it at most, of a run that ends
 * when it is full. What is not kept by `keep` is written again by the next run; what a crash leaves behind, parts of no file among it, the bucket's
 * lifecycle removes after 7 days.
 */
export const growFile = async (files: Files, key: string, before: Growth, partBytes = smallestPart) => {
  let upload = before.upload;
  const tags = [...before.tags];
  let kept = await keptIn(files, before);
  const added: Buffer[] = [];
  let addedBytes = 0;

  const putKept = async (): Promise<string> => {
    upload ??= await files.beginParts(key);
    tags.push(await files.putPart(key, upload, tags.length + 1, kept));
    kept = Buffer.alloc(0);
    return upload;
  };

  return {
    append: async (text: string): Promise<void> => {
      if (kept.length >= partBytes) await putKept();
      const bytes = Buffer.from(text);
      added.push(bytes);
      addedBytes += bytes.length;
    },

    /** Whether the run is to end, so that what it has added becomes a part. */
    isFull: (): boolean => addedBytes >= partBytes,

    /** What the next run begins with. */
    keep: async (): Promise<Growth> => {
      if (kept.length + addedBytes === 0) return { upload, tags };
      const rest = `${key}.${randomUUID()}`;
      await files.put(rest, Buffer.concat([kept, ...added]));
      return { upload, tags, rest };
    },

    /** The file exists from now on, with all that was kept before. Completed again, it stays as it is. */
    complete: async (): Promise<void> => {
      if ((await files.bytesOf(key)) !== undefined) return;
      if (upload === undefined) await files.put(key, kept);
      else await files.completeParts(key, kept.length > 0 ? await putKept() : upload, tags);
    },
  };
};
