import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openInvoker } from './invoker.ts';
import { StartFailure } from './start-failure.ts';

const usage = 'npm run invoke -- <function> [event.json] [--data-dir .local]';

const invoke = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'data-dir': { type: 'string', default: '.local' } },
  });
  const [name, eventFile = join('events', `${name}.json`)] = positionals;
  if (name === undefined) throw new StartFailure(usage);
  const invoker = openInvoker(resolve(values['data-dir']));
  const invocation = await invoker.run(name, eventFile);
  await invoker.close();
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
