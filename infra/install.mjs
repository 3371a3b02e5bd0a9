// Runs before `npm start` and `npm test`, on whatever Node the machine has, so it is plain JavaScript without a dependency.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

const changedMs = (file) => {
  try {
    return statSync(join(root, file)).mtimeMs;
  } catch {
    return 0;
  }
};

/** npm writes this file last, so a broken install is repeated. */
const installedMs = changedMs('node_modules/.package-lock.json');

if (installedMs < changedMs('package-lock.json')) {
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exit(status ?? 1);
}
