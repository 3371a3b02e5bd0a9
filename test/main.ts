import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

// `npm test`: all checks and all tests. The checks use what the tests leave of the processor: tests wait much of their time.

const check = spawn('npm', ['run', '--silent', 'check'], { stdio: ['ignore', 'pipe', 'pipe'] });
if (check.pid) setPriority(check.pid, 10);
const complaints = Promise.all([text(check.stdout), text(check.stderr)]);

const tests = spawn('vitest', ['run', '--config', 'test/vitest.config.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
});

const codes = await Promise.all(
  [check, tests].map((child) => once(child, 'close').then(([code]) => code as number | null)),
);
if (codes[0] !== 0) process.stdout.write(`\nnpm run check failed:\n${(await complaints).join('')}\n`);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
