import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openInvoker } from './invoker.ts';
import { StartFailure } from './start-failure.ts';

const usage = 'npm run invoke -- <function> [event.json] [--data-dir .local]';

const invoke = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'data-dir': { type: 'string', default: '.local' } },
  });
  const [name, eventFile] = positionals;
  if (name === undefined) throw new StartFailure(usage);
  const { ok, payload } = await openInvoker(resolve(values['data-dir'])).invoke(name, eventFile);
  process.stdout.write(`${JSON.stringify(payload, null, 2)}\n`);
  return ok ? 0 : 1;
};

try {
  process.exit(await invoke());
} catch (thrown) {
  if (!(thrown instanceof StartFailure)) throw thrown;
  process.stderr.write(`${thrown.message}\n`);
  process.exit(1);
}
