import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { StartFailure } from './start-failure.ts';

/** The stage that `npm start` synthesizes. */
export const localStage = 'local';

/** Written when the stack is ready; other processes read all addresses from it. */
export const stackFile = 'stack.json';

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

/**
 * The stack that runs with this data directory.
 * @throws StartFailure when none does
 */
export const findRunningStack = (dataDirectory: string): RunningStack => {
  const file = join(dataDirectory, stackFile);
  if (!existsSync(file)) throw new StartFailure(`No stack is running with ${dataDirectory}. Start it first: npm start`);
  return facts.parse(JSON.parse(readFileSync(file, 'utf8')));
};
