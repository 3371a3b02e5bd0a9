import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCommandLine } from '../command-line.ts';
import { outputOfReady, readStackFile, spawnStack } from '../stack-process.ts';
import { complaints, creditsOf, jobsWaiting } from './checks.ts';
import { startTraffic } from './traffic.ts';

// Emails and payments at a steady rate, on emulators that conflict and throttle as AWS does, while parts are killed each minute. At the end nothing
// may be lost, nothing done twice, no count wrong, no job left, and the stack no larger than before.

const help = `npm run soak -- [minutes]

Sends mails and takes payments for so many minutes, 30 by default, while parts of the stack are killed; then compares what callers were told with
what is stored.

  --help   Prints this
`;

const { numbers } = readCommandLine({ help, words: [] });
const [minutes = 30] = numbers;
const rates = { emails: 4, payments: 1 };
const quietWithinMs = 240_000;
const mostGrowth = 1.5;
const credits = 1_000_000;

const dataDirectory = mkdtempSync(join(tmpdir(), 'soak-'));
const environment = { LOG_LEVEL: 'warn', SEND_GIVE_UP_SECONDS: '60', TEXT_GIVE_UP_SECONDS: '60' };
const start = async () => {
  const stack = spawnStack(dataDirectory, { arguments: ['--quiet', '--aws-limits'], environment });
  await outputOfReady(stack);
  return stack;
};
const say = (text: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

const processesOf = (parent: number | undefined, program: string): number[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((found) =>
      found && Number(found[2]) === parent && found[3]?.includes(program) ? [Number(found[1])] : [],
    );

const residentMegabytes = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

let stack = await start();
const file = readStackFile(dataDirectory);
const operator = { authorization: `Bearer ${file.adminToken}`, 'content-type': 'application/json' };
await fetch(`${file.adminBaseUrl}/accounts/${file.accountId}/credits`, {
  method: 'PUT',
  headers: operator,
  body: JSON.stringify({ email: credits, smsMasked: 0, smsNonMasked: 0 }),
});
const before = await creditsOf(file);
const traffic = await startTraffic(file);

const killAll = async (): Promise<void> => {
  const exited = once(stack, 'exit');
  stack.kill('SIGKILL');
  await exited;
  stack = await start();
};
const kills: readonly { readonly of: string; readonly run: () => Promise<void> | void }[] = [
  {
    of: 'half of the functions',
    run: () => {
      for (const pid of processesOf(stack.pid, 'function-process').filter((_, n) => n % 2 === 0))
        process.kill(pid, 'SIGKILL');
    },
  },
  { of: 'the stack', run: killAll },
  {
    of: 'all functions',
    run: () => {
      for (const pid of processesOf(stack.pid, 'function-process')) process.kill(pid, 'SIGKILL');
    },
  },
  {
    of: 'the database and the stack',
    run: async () => {
      for (const pid of processesOf(stack.pid, 'dynoxide')) process.kill(pid, 'SIGKILL');
      await killAll();
    },
  },
];

const endMs = Date.now() + minutes * 60_000;
const running = traffic.run(rates, endMs);
const sizes: number[] = [];
for (let minute = 0; Date.now() + 60_000 < endMs; minute += 1) {
  await sleep(45_000);
  sizes.push(residentMegabytes(stack.pid));
  const kill = kills[minute % kills.length];
  say(
    `${traffic.accepted.size} mails and ${traffic.sessions.size} sessions accepted, ${traffic.received.length} webhooks, ${Math.round(sizes.at(-1) ?? 0)} MB; kills ${kill?.of}`,
  );
  await kill?.run();
  await sleep(15_000);
}
await running;
say('the load is over');

let found = ['nothing was checked'];
for (const deadline = Date.now() + quietWithinMs; found.length > 0 && Date.now() < deadline; await sleep(2_000)) {
  // A restart keeps the addresses of the APIs, and no others.
  const now = readStackFile(dataDirectory);
  const waiting = await jobsWaiting(now);
  found = [...(await complaints(now, traffic, before)), ...(waiting > 0 ? [`${waiting} jobs are left in queues`] : [])];
}
for (const [what, all] of Object.entries({ mails: traffic.accepted, sessions: traffic.sessions }))
  if (all.size === 0) found.push(`no ${what} were accepted`);
const third = Math.ceil(sizes.length / 3);
const [early, late] = [Math.max(...sizes.slice(0, third)), Math.max(...sizes.slice(-third))];
if (late > mostGrowth * early) found.push(`the stack grew from ${Math.round(early)} to ${Math.round(late)} MB`);
for (const complaint of found) say(complaint);
say(
  `${traffic.accepted.size} mails, ${traffic.sessions.size} payments, ${traffic.received.length} webhooks, ${sizes.length} kills in ${minutes} minutes: ${found.length === 0 ? 'nothing lost, nothing twice' : `${found.length} complaints`}`,
);
stack.kill('SIGTERM');
await once(stack, 'exit');
rmSync(dataDirectory, { recursive: true, force: true });
process.exit(found.length === 0 ? 0 : 1);
