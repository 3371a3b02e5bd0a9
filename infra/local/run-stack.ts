import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stop as stopBundling } from 'esbuild';
import { seedDemoAccount } from './demo-account.ts';
import { seedDemoOwner } from './demo-people.ts';
import { durationWords } from './duration.ts';
import type { StackOptions } from './options.ts';
import { stackFile, writeStackFile } from './running-stack.ts';
import { dateAheadMs } from './shifted-date.ts';
import { type StackNews, startStack } from './stack.ts';
import { openTerminal } from './terminal.ts';
import { waitBriefly } from './wait-briefly.ts';
import { watchSources } from './watch.ts';

// At work on bundles, esbuild prints a trace when its input ends before it does.
process.once('exit', () => void stopBundling());

/** A stop takes 5 s at most. The parts end one after the other, and each waits for what it has begun. */
const closeWithinMs = 4_000;

/** A stack that watches its sources. Resolves when it is ready and has said so. */
export const runStack = async (
  options: StackOptions,
  onLost: NonNullable<StackNews['onLost']>,
): Promise<{ close(): Promise<void> }> => {
  const terminal = openTerminal({
    write: (text) => void process.stdout.write(text),
    isTty: process.stdout.isTTY,
    isJson: options.isJson,
    isQuiet: options.isQuiet,
    noColor: process.env['NO_COLOR'],
  });
  const stack = await startStack(options, terminal.step, {
    ...(!options.isQuiet && { onRequest: terminal.request }),
    onSkip: terminal.skipped,
    onLost,
  });
  terminal.step('Seeding the demo account');
  const { accountId, keys } = await seedDemoAccount(stack, options.dataDirectory);
  const signInToken = await seedDemoOwner({ aws: stack.aws, dataDirectory: options.dataDirectory }, accountId);
  const watcher = watchSources(stack, terminal.notice);
  const facts = {
    pid: process.pid,
    apiBaseUrl: `${stack.url}/api/v1`,
    checkoutBaseUrl: stack.url,
    adminBaseUrl: `${stack.url}/admin/v1`,
    dashboardUrl: `${stack.url}/dashboard`,
    dashboardLoginUrl: `${stack.url}/dashboard/sign-in/${signInToken}`,
    docsUrl: `${stack.url}/docs`,
    inboxUrl: stack.inboxUrl,
    adminToken: stack.adminToken,
    accountId,
    keys,
    aws: stack.aws,
  };
  writeStackFile(options.dataDirectory, facts);
  terminal.ready(facts, options.dataDirectory);
  if (dateAheadMs() > 0)
    terminal.notice(
      `The clock is ${durationWords(dateAheadMs() / 1_000)} ahead, because time was skipped. --fresh sets it back, and deletes the data.`,
    );

  stack.bundles.buildRest();
  stack.bundles.all.catch((failure: unknown) => terminal.notice(`Some functions could not be bundled: ${failure}`));

  return {
    close: async () => {
      rmSync(join(options.dataDirectory, stackFile), { force: true });
      watcher.close();
      // What has not ended by then ends with this process, as if killed, and the next start goes on from there.
      await waitBriefly(stack.close(), closeWithinMs);
    },
  };
};
