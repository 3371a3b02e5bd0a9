import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartFailure } from '../local/start-failure.ts';
import { functionName } from '../rows.ts';
import { filesOf, withRow } from './files.ts';
import { planOf, usage } from './plan.ts';

const root = join(import.meta.dirname, '..', '..');
const routesFile = join(root, 'infra', 'routes.ts');

if (process.argv.includes('--help')) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

try {
  const plan = planOf(process.argv.slice(2), root);
  const files = filesOf(plan);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text, { flag: 'wx' });
  }
  writeFileSync(routesFile, withRow(readFileSync(routesFile, 'utf8'), plan));
  process.stdout.write(`${['infra/routes.ts', ...Object.keys(files)].map((file) => `wrote ${file}`).join('\n')}

Next: ${plan.auth === 'provider' ? '' : 'contract.ts says what the endpoint takes and gives, '}handler.test.ts says what the client sees, handler.ts makes it so.
  npm run test:only -- functions/${plan.does}
  npm run invoke -- ${functionName(plan.does)}     (a stack that runs has the new row after a restart)
`);
} catch (thrown) {
  if (!(thrown instanceof StartFailure)) throw thrown;
  process.stderr.write(`${thrown.message}\n`);
  process.exitCode = 1;
}
