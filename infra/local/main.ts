import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedDemoAccount } from './demo-account.ts';
import { readOptions } from './options.ts';
import { stackFile, startStack } from './stack.ts';
import { StartFailure } from './start-failure.ts';
import { watchSources } from './watch.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const start = async (): Promise<void> => {
  const startedMs = Date.now();
  const options = readOptions(process.argv.slice(2), process.env);
  const stopped = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.resolve());

  const stack = await startStack(options, say);
  const { accountId, keys } = await seedDemoAccount(stack, options.dataDirectory);
  const watcher = watchSources(stack, say);
  const readyFile = join(options.dataDirectory, stackFile);
  writeFileSync(
    readyFile,
    JSON.stringify(
      {
        pid: process.pid,
        apiBaseUrl: `${stack.url}/api/v1`,
        checkoutBaseUrl: stack.url,
        adminBaseUrl: `${stack.url}/admin/v1`,
        docsUrl: `${stack.url}/docs`,
        inboxUrl: stack.inboxUrl,
        adminToken: stack.adminToken,
        accountId,
        keys,
        aws: stack.aws,
      },
      null,
      2,
    ),
    { mode: 0o600 },
  );
  say(`
Ready in ${((Date.now() - startedMs) / 1_000).toFixed(1)} s. Data is kept in ${options.dataDirectory}. Ctrl-C stops everything.

  API       ${stack.url}/api/v1
  Checkout  ${stack.url}/v1/checkout-sessions
  Admin     ${stack.url}/admin/v1   (token and all keys in ${readyFile})
  Docs      ${stack.url}/docs
  Inbox     ${stack.inboxUrl}
  Phones    ${stack.inboxUrl}/phones
  Account   ${accountId}   (accountId in the admin API)
  Keys      ${keys.messaging}
            ${keys.checkoutSecretTest}

Send a first message, then open the inbox:

  curl -s ${stack.url}/api/v1/messages -H 'X-API-Key: ${keys.messaging}' -H 'Content-Type: application/json' -d '{"channel":"email","to":"ada@example.com","subject":"Hello","text":"It works."}'

Create a first checkout session, then open the url in the response (README, "A first payment", registers a webhook first):

  curl -s ${stack.url}/v1/checkout-sessions -H 'Authorization: Bearer ${keys.checkoutSecretTest}' -H 'Content-Type: application/json' -d '{"amountMinor":600000,"currency":"BDT","description":"Two books","metadata":{"orderId":"1042"}}'
`);

  stack.bundles.buildRest();
  stack.bundles.all.catch((failure: unknown) => say(`Some functions could not be bundled: ${failure}`));

  await stopped.promise;
  rmSync(readyFile, { force: true });
  await watcher.close();
  await stack.close();
};

try {
  await start();
  process.exit(0);
} catch (thrown) {
  process.stderr.write(
    thrown instanceof StartFailure ? `${thrown.message}\n` : `${thrown instanceof Error ? thrown.stack : thrown}\n`,
  );
  process.exit(1);
}
