import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { environmentFor } from './environment.ts';
import { startFunctions } from './functions.ts';
import { readBlueprint } from './read-blueprint.ts';
import { StartFailure } from './start-failure.ts';

const usage = 'npm run invoke -- <function> [event.json] [--data-dir .local]';

const stackFile = z.object({
  apiBaseUrl: z.string(),
  accountId: z.string(),
  keys: z.object({ messaging: z.string(), checkoutSecretTest: z.string() }),
  aws: z.record(z.string(), z.string()),
});

/** Runs one function of the templates, with one event, against the stack that is running. */
const invoke = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'data-dir': { type: 'string', default: '.local' } },
  });
  const [name, eventFile = join('events', `${name}.json`)] = positionals;
  if (name === undefined) throw new StartFailure(usage);
  const dataDirectory = resolve(values['data-dir']);
  const stackPath = join(dataDirectory, 'stack.json');
  if (!existsSync(stackPath))
    throw new StartFailure(`No stack is running with ${dataDirectory}. Start it first: npm start`);
  const stack = stackFile.parse(JSON.parse(readFileSync(stackPath, 'utf8')));

  const blueprint = readBlueprint(join(dataDirectory, 'cdk.out'), {
    queueUrl: (queue) => `${stack.aws['sqs']}/000000000000/${queue}`,
    apiUrl: new URL(stack.apiBaseUrl).origin,
  });
  const spec = blueprint.functions.find((one) => one.name === name);
  if (!spec)
    throw new StartFailure(
      `There is no function ${name}. There are: ${blueprint.functions.map((one) => one.name).join(', ')}`,
    );
  if (!existsSync(eventFile)) throw new StartFailure(`There is no event file ${eventFile}. ${usage}`);
  const event: unknown = JSON.parse(
    readFileSync(eventFile, 'utf8')
      .replaceAll('{{accountId}}', stack.accountId)
      .replaceAll('{{key}}', stack.keys.messaging)
      .replaceAll('{{checkoutKey}}', stack.keys.checkoutSecretTest),
  );

  const functions = startFunctions([spec], {
    environment: environmentFor(stack.aws),
    logDirectory: join(dataDirectory, 'logs'),
  });
  const invocation = await functions.invoke(name, event);
  await functions.close();
  process.stdout.write(`${JSON.stringify(invocation.ok ? invocation.payload : invocation, null, 2)}\n`);
  return invocation.ok ? 0 : 1;
};

try {
  process.exit(await invoke());
} catch (thrown) {
  if (!(thrown instanceof StartFailure)) throw thrown;
  process.stderr.write(`${thrown.message}\n`);
  process.exit(1);
}
