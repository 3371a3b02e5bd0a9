import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { numberOf, readCommandLine } from '../command-line.ts';
import { randomIn } from '../simulation/random.ts';
import { startStackProcess } from '../stack-process.ts';
import { complaints, creditsOf, jobsWaiting, repeatedWebhooks } from './checks.ts';
import { startTraffic } from './traffic.ts';

// Emails and payments at a steady rate, on emulators that conflict and throttle as AWS does, while parts are killed each minute. At the end nothing
// may be lost, nothing done twice, no count wrong, no job left, and the stack no larger than before.

const help = `npm run soak -- [minutes] [options]

Sends mails and takes payments for so many minutes, 30 by default, while a part of the stack is killed each minute; then compares what callers were
told with what is stored.

  --rate N   Mails a second, and a quarter as many payments; 5 by default, about half of what a stack with --aws-limits takes.
  --seed N   Chooses the parts; 1 by default.
  --help     Prints this
`;

const { numbers, values } = readCommandLine({
  help,
  words: [],
  options: { rate: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});
const [minutes = 30] = numbers;
const emails = numberOf('--rate', values.rate);
const rates = { emails, payments: emails / 4 };
const random = randomIn(numberOf('--seed', values.seed), 'kills');
/** In this last part the stack itself lives on, so that it is seen whether its memory grows. */
const livingShare = 1 / 3;
const quietWithinMs = 240_000;
const mostGrowth = 1.3;
const credits = 1_000_000;

const dataDirectory = mkdtempSync(join(tmpdir(), 'soak-'));
const environment = { LOG_LEVEL: 'warn', SEND_GIVE_UP_SECONDS: '60', TEXT_GIVE_UP_SECONDS: '60' };
const start = () => startStackProcess(dataDirectory, { arguments: ['--quiet', '--aws-limits'], environment });
const say = (text: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

const processesOf = (parent: number, program: string): number[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((found) =>
      found && Number(found[2]) === parent && found[3]?.includes(program) ? [Number(found[1])] : [],
    );

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

/** Of the stack's own process and its database: the functions come and go. */
const megabytesOf = (pid: number): number =>
  [pid, ...processesOf(pid, 'dynoxide')].reduce<number>((sum, each) => sum + residentMegabytes(each), 0);

let stack = await start();
const { file } = stack;
const operator = { authorization: `Bearer ${file.adminToken}`, 'content-type': 'application/json' };
await fetch(`${file.adminBaseUrl}/accounts/${file.accountId}/credits`, {
  method: 'PUT',
  headers: operator,
  body: JSON.stringify({ email: credits, smsMasked: 0, smsNonMasked: 0 }),
});
const before = await creditsOf(file);
const traffic = await startTraffic(file);

const killAll = async (): Promise<void> => {
  await stack.kill();
  stack = await start();
};
interface Kill {
  readonly of: string;
  readonly run: () => Promise<void> | void;
}

const killsOfFunctions: readonly [Kill, ...Kill[]] = [
  {
    of: 'half of the functions',
    run: () => {
      for (const pid of processesOf(stack.file.pid, 'function-process').filter((_, n) => n % 2 === 0))
        process.kill(pid, 'SIGKILL');
    },
  },
  {
    of: 'all functions',
    run: () => {
      for (const pid of processesOf(stack.file.pid, 'function-process')) process.kill(pid, 'SIGKILL');
    },
  },
];
const kills: readonly [Kill, ...Kill[]] = [
  ...killsOfFunctions,
  { of: 'the stack', run: killAll },
  {
    of: 'the database and the stack',
    run: async () => {
      for (const pid of processesOf(stack.file.pid, 'dynoxide')) process.kill(pid, 'SIGKILL');
      await killAll();
    },
  },
];

const endMs = Date.now() + minutes * 60_000;
const killsUntilMs = endMs - livingShare * minutes * 60_000;
const running = traffic.run(rates, endMs);
/** Of the one stack that lives to the end. */
const sizes: number[] = [];
let killed = 0;
while (Date.now() + 60_000 < endMs) {
  await sleep(45_000);
  const livesOn = Date.now() > killsUntilMs;
  const size = megabytesOf(stack.file.pid);
  if (livesOn) sizes.push(size);
  const kill = random.pick(livesOn ? killsOfFunctions : kills);
  say(
    `${traffic.accepted.size} mails and ${traffic.sessions.size} sessions accepted, ${traffic.received.length} webhooks, ${Math.round(size)} MB; kills ${kill.of}`,
  );
  await kill.run();
  killed += 1;
  await sleep(15_000);
}
await running;
say('the load is over');

let found = ['nothing was checked'];
for (const deadline = Date.now() + quietWithinMs; found.length > 0 && Date.now() < deadline; await sleep(2_000)) {
  // A restart keeps the addresses of the APIs, and no others.
  const waiting = await jobsWaiting(stack.file);
  found = [
    ...(await complaints(stack.file, traffic, before)),
    ...(waiting > 0 ? [`${waiting} jobs are left in queues`] : []),
  ];
}
for (const [what, all] of Object.entries({ mails: traffic.accepted, sessions: traffic.sessions }))
  if (all.size === 0) found.push(`no ${what} were accepted`);
const third = Math.ceil(sizes.length / 3);
const [early, late] = [Math.max(...sizes.slice(0, third)), Math.max(...sizes.slice(-third))];
if (late > mostGrowth * early) found.push(`the stack grew from ${Math.round(early)} to ${Math.round(late)} MB`);
for (const complaint of found) say(complaint);
say(
  `${traffic.accepted.size} mails, ${traffic.sessions.size} payments, ${traffic.received.length} webhooks, of which ${repeatedWebhooks(traffic)} repeated, ${killed} kills in ${minutes} minutes: ${found.length === 0 ? 'nothing lost, nothing twice' : `${found.length} complaints`}`,
);
await stack.stop();
rmSync(dataDirectory, { recursive: true, force: true });
process.exit(found.length === 0 ? 0 : 1);
