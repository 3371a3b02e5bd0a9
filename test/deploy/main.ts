import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from '../command-line.ts';
import { callsAt } from './calls.ts';
import { checkOut, deploy, destroy, releaseBefore, removeCheckOut, run, synthesize } from './cdk.ts';
import { missing, startEmulator } from './emulator.ts';
import { adaptToEmulator } from './for-emulator.ts';
import { keptIn } from './kept.ts';
import { lint } from './lint.ts';
import { restoreTable } from './restore.ts';
import { operator, smoke, smokeAfterUpgrade } from './smoke.ts';

const help = `npm run test:deploy -- [options]

Deploys the release before and this one to MiniStack, which runs CloudFormation and enforces IAM, uses them and removes them.

  --before <commit>   The release to upgrade from
  --help              Prints this
`;

const { values } = readCommandLine({ help, options: { before: { type: 'string' } } });
const absent = missing();
if (absent) {
  process.stderr.write(`${absent}\n`);
  process.exit(1);
}

const directory = mkdtempSync(join(tmpdir(), 'deploy-'));
const started = Date.now();
const say = (line: string): void => {
  const seconds = String(Math.round((Date.now() - started) / 1_000)).padStart(5);
  process.stdout.write(`${seconds} s  ${line}\n`);
};
say(`Logs and templates are in ${directory}.`);

const nodeOption = '--disable-warning=ExperimentalWarning';
const emulator = await startEmulator(directory);
const { environment: env } = emulator;
const logged = (name: string, cwd?: string) => ({ env, log: join(directory, `${name}.log`), ...(cwd && { cwd }) });
const before = values.before ?? releaseBefore();
const earlier = checkOut(before, join(directory, 'before'));
try {
  // Where no cdk.json is, nothing is synthesized for it.
  await run(['cdk', 'bootstrap', 'aws://000000000000/us-east-1', '--no-notices'], logged('bootstrap', directory));

  const urlIn = (output: string): string => /-api\.url = (\S+)/.exec(output)?.[1] ?? '';
  const deployed = (assembly: string, name: string, ...options: string[]): Promise<string> => {
    adaptToEmulator(assembly);
    return deploy(assembly, logged(name), ...options);
  };
  /** The first operator of a deployment, made as its owner makes them; returns a token. */
  const addOperator = (stage: string, cwd: string): string => {
    const command = [nodeOption, 'infra/operators/main.ts', 'add', operator];
    const answer = execFileSync(process.execPath, [...command, '--stage', stage, '--json'], {
      cwd,
      env,
      encoding: 'utf8',
    });
    return JSON.parse(answer).token;
  };
  const old = await synthesize('prod', logged('prod-before', earlier));
  const first = await deployed(old, 'prod-before');
  say(`prod is deployed from ${before}.`);
  const prod = callsAt(urlIn(first), emulator, addOperator('prod', earlier));
  const made = await smoke(prod, emulator, (step) => say(`  ${step}`));

  const assembly = await synthesize('prod', logged('prod'));
  await lint(assembly, logged, say);
  await deployed(assembly, 'prod');
  await smokeAfterUpgrade(prod, made);
  say('prod is upgraded to this release: the account, its message, its payment and its credits are as before.');
  const again = await deployed(assembly, 'prod-again');
  if (/CREATE_|UPDATE_|DELETE_/.test(again)) throw new Error('The same release changed something when deployed again.');
  say('Deployed again, nothing changes.');

  const areSentOnce = await restoreTable({
    calls: prod,
    emulator,
    made,
    former: /-data\.tablename = (\S+)/.exec(again)?.[1] ?? '',
    command: (name, ...args) =>
      run([process.execPath, nodeOption, `infra/${name}/main.ts`, ...args, '--stage', 'prod'], logged(name)),
    swap: async (RESTORED_TABLE) => {
      const swapped = await synthesize('prod', logged('prod-restored'), { RESTORED_TABLE });
      // The emulator executes no change set that changes outputs only, as that of prod-data.
      await deployed(swapped, 'prod-restored', '--method', 'direct');
    },
    say: (step) => say(`  ${step}`),
  });
  say('prod has the restored table.');

  const other = await synthesize('dev', logged('dev'));
  const dev = await deployed(other, 'dev');
  say('dev is deployed beside it.');
  const second = callsAt(urlIn(dev), emulator, addOperator('dev', process.cwd()));
  await smoke(second, emulator, (step) => say(`  ${step}`));

  await areSentOnce();
  say('Since the restore, nothing was sent once more.');
  await destroy(other, logged('dev-destroyed'));
  await destroy(assembly, logged('prod-destroyed'));
  say(`Both are destroyed. Kept of prod: ${await keptIn(emulator)}.`);
} finally {
  removeCheckOut(earlier);
  await emulator.stop();
}
