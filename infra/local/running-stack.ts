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

/**
 * What the stack that runs with this data directory has written about itself.
 * @throws StartFailure when none runs
 */
export const factsOfRunningStack = (dataDirectory: string): z.output<typeof anyFacts> => {
  const file = join(dataDirectory, stackFile);
  const found = existsSync(file) ? anyFacts.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
  // The file of a killed stack stays until the next start.
  if (!found || !isAlive(found.pid))
    throw new StartFailure(`No stack is running with ${dataDirectory}. Start it first: npm start`);
  return found;
};

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
 * The stack that runs with this data directory.
 * @throws StartFailure when none does
 */
export const findRunningStack = (dataDirectory: string): RunningStack =>
  facts.parse(factsOfRunningStack(dataDirectory));
