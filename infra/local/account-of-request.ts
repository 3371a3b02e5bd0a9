import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { jsonIn } from '../../shared/kit/json-in.ts';

/** Only the end of a log that has grown by more is read. */
const mostBytes = 256 * 1024;

const line = z.object({ requestId: z.string(), accountId: z.string() });

/** Whose key a request had, as the log of its function says: a function writes the line before it answers. */
export const accountOfRequest = (logDirectory: string) => {
  const readTo = new Map<string, number>();
  const accounts = new Map<string, string>();

  const readOn = (functionName: string): void => {
    const file = join(logDirectory, `${functionName}.log`);
    // The logs were deleted.
    if (!existsSync(file)) return;
    const open = openSync(file, 'r');
    try {
      const { size } = fstatSync(open);
      const from = Math.max(readTo.get(functionName) ?? 0, size - mostBytes);
      const bytes = Buffer.alloc(Math.max(0, size - from));
      readSync(open, bytes, 0, bytes.length, from);
      // The last line may be unfinished: another instance is writing it.
      const end = bytes.lastIndexOf('\n') + 1;
      readTo.set(functionName, from + end);
      for (const text of bytes.toString('utf8', 0, end).split('\n')) note(text);
    } finally {
      closeSync(open);
    }
  };

  const note = (text: string): void => {
    if (!text.includes('"accountId"')) return;
    const { data } = line.safeParse(jsonIn(text));
    if (data) accounts.set(data.requestId, data.accountId);
  };

  return (functionName: string, requestId: string): string | undefined => {
    readOn(functionName);
    const account = accounts.get(requestId);
    accounts.delete(requestId);
    return account;
  };
};
