import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { StartFailure } from './start-failure.ts';
import { writeWhole } from './write-whole.ts';

/** The stage that `npm start` synthesizes. */
export const localStage = 'local';

/** Written when the stack is ready; other processes read all addresses from it. */
export const stackFile = 'stack.json';

export const writeStackFile = (dataDirectory: string, written: object): void =>
  writeWhole(join(dataDirectory, stackFile), JSON.stringify(written, null, 2));

const facts = z.object({
  pid: z.number(),
  apiBaseUrl: z.string(),
  checkoutBaseUrl: z.string(),
  adminBaseUrl: z.string(),
  inboxUrl: z.string(),
  adminToken: z.string(),
  accountId: z.string(),
  keys: z.object({ messaging: z.string(), checkoutSecretTest: z.string() }),
  aws: z.record(z.string(), z.string()),
});

export type RunningStack = z.output<typeof facts>;

const anyFacts = z.looseObject({ pid: z.number() });

/** @throws StartFailure when the file is cut off, is not ours, or belongs to another user */
const read = <Facts>(schema: z.ZodType<Facts>, file: string): Facts => {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartFailure(`${file} cannot be read. Restart the stack: npm start`);
  }
};

/** Of the stack that runs with this data directory, if any. */
const factsIn = <Facts>(schema: z.ZodType<Facts>, dataDirectory: string): Facts | undefined => {
  const file = join(dataDirectory, stackFile);
  // The file of a killed stack stays until the next start.
  return existsSync(file) && isAlive(read(anyFacts, file).pid) ? read(schema, file) : undefined;
};

const orNone = <Facts>(found: Facts | undefined, dataDirectory: string): Facts => {
  if (found !== undefined) return found;
  throw new StartFailure(
    `No stack is running with ${dataDirectory}. Start one with npm start, or name the directory of another: --data-dir <path>`,
  );
};

/**
 * What the stack that runs with this data directory has written about itself.
 * @throws StartFailure when none runs
 */
export const factsOfRunningStack = (dataDirectory: string): z.output<typeof anyFacts> =>
  orNone(factsIn(anyFacts, dataDirectory), dataDirectory);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Other errors mean that the process is there, and belongs to somebody else.
    return !(thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH');
  }
};

/**
 * The stack that runs with this data directory, if any.
 * @throws StartFailure when its file cannot be read
 */
export const runningStackIn = (dataDirectory: string): RunningStack | undefined => factsIn(facts, dataDirectory);

/**
 * The stack that runs with this data directory.
 * @throws StartFailure when none does
 */
export const findRunningStack = (dataDirectory: string): RunningStack =>
  orNone(runningStackIn(dataDirectory), dataDirectory);
