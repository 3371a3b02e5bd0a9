import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Growth } from '../../transfers/growth.ts';
import { growFile } from './growing-file.ts';

/** Files in memory. The nth calls that are fatal are carried out, and then kill the run. */
const startFiles = (fatalCalls: readonly number[]) => {
  const stored = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  let calls = 0;
  const mortal = async <Result>(result: Result): Promise<Result> => {
    calls += 1;
    if (fatalCalls.includes(calls)) throw new Error('killed');
    return result;
  };
  const tagOf = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
  const files = {
    put: async (key: string, bytes: Buffer) => mortal(void stored.set(key, bytes)),
    read: async (key: string) => mortal(stored.get(key)),
    bytesOf: async (key: string) => mortal(stored.get(key)?.length),
    beginParts: async () => {
      uploads.set(String(uploads.size), new Map());
      return mortal(String(uploads.size - 1));
    },
    putPart: async (_: string, upload: string, number: number, bytes: Buffer) => {
      uploads.get(upload)?.set(number, bytes);
      return mortal(tagOf(bytes));
    },
    completeParts: async (key: string, upload: string, tags: readonly string[]) => {
      const parts = tags.map((_, n) => uploads.get(upload)?.get(n + 1) ?? expect.fail());
      expect(parts.map(tagOf)).toEqual(tags);
      stored.set(key, Buffer.concat(parts));
      return mortal(undefined);
    },
  };
  return { files, stored };
};

const partBytes = 50;
const texts = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 4 });

it('a file of many parts has every text once and in order, whichever calls kill the runs that write it', async () => {
  const runs = fc.array(texts, { minLength: 1, maxLength: 4 });
  const fatalCalls = fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(runs, fatalCalls, async (all, fatal) => {
      const { files, stored } = startFiles(fatal);
      const untilItLives = async <Result>(work: () => Promise<Result>): Promise<Result> => {
        try {
          return await work();
        } catch {
          return untilItLives(work);
        }
      };
      const textOf = (size: number, n: number): string => String(n).repeat(size * 20);
      let kept: Growth = { tags: [] };
      for (const sizes of all) {
        const before = kept;
        kept = await untilItLives(async () => {
          const file = await growFile(files, 'f', before, partBytes);
          for (const [n, size] of sizes.entries()) await file.append(textOf(size, n));
          return file.keep();
        });
      }
      await untilItLives(async () => (await growFile(files, 'f', kept, partBytes)).complete());
      const expected = Buffer.from(all.flatMap((sizes) => sizes.map(textOf)).join(''));
      expect(stored.get('f')?.equals(expected)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

it('a file is what the run that was kept has written, also when another run of its job wrote something else at the same time', async () => {
  const { files, stored } = startFiles([]);
  const first = await growFile(files, 'f', { tags: [] }, partBytes);
  await first.append('a'.repeat(60));
  const before = await first.keep();
  const [one, other] = [await growFile(files, 'f', before, partBytes), await growFile(files, 'f', before, partBytes)];
  await one.append('b'.repeat(60));
  const kept = await one.keep();
  const [next, late] = [await growFile(files, 'f', kept, partBytes), await growFile(files, 'f', kept, partBytes)];
  await next.append('c'.repeat(60));
  await other.append('x'.repeat(60));
  await other.keep();
  const last = await next.keep();
  await late.append('y'.repeat(70));
  await late.keep();
  await (await growFile(files, 'f', last, partBytes)).complete();
  expect(String(stored.get('f'))).toBe(['a', 'b', 'c'].map((letter) => letter.repeat(60)).join(''));
});

it('a file is not written on without what was kept of it, which would be missing in it', async () => {
  const { files, stored } = startFiles([]);
  const first = await growFile(files, 'f', { tags: [] }, partBytes);
  await first.append('a'.repeat(60));
  const kept = await first.keep();
  stored.clear();
  await expect(growFile(files, 'f', kept, partBytes)).rejects.toThrow('what was kept of a file is gone');
});
