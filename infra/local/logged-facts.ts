import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { jsonIn } from '../../shared/kit/json-in.ts';

/** Only the end of a log that has grown by more is read. */
const mostBytes = 256 * 1024;

const facts = z.object({
  accountId: z.string().optional(),
  errorCode: z.string().optional(),
  ignored: z.array(z.string()).optional(),
});
const line = facts.extend({ requestId: z.string() });

/** Whose key a request had, why it was refused, and the fields and parameters that its endpoint does not know. */
export type LoggedFacts = z.output<typeof facts>;

/** What the log of its function says of a request: a function writes the line before it answers. */
export const openLoggedFacts = (logDirectory: string) => {
  const readTo = new Map<string, number>();
  const noted = new Map<string, LoggedFacts>();

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
    if (!Object.keys(facts.shape).some((name) => text.includes(`"${name}"`))) return;
    const { data } = line.safeParse(jsonIn(text));
    if (!data) return;
    const { requestId, ...said } = data;
    noted.set(requestId, said);
  };

  return (functionName: string, requestId: string): LoggedFacts | undefined => {
    readOn(functionName);
    const said = noted.get(requestId);
    noted.delete(requestId);
    return said;
  };
};
