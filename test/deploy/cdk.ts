import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const root = resolve(import.meta.dirname, '..', '..');
const bin = join(root, 'node_modules', '.bin');

/** Where a program runs, and the file for its output. */
export interface At {
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: string;
}

/** Runs a program of this repository. Returns the output. */
export const run = async (
  [program = '', ...args]: readonly string[],
  { cwd = root, env, log }: At,
): Promise<string> => {
  const child = spawn(program, args, {
    cwd,
    env: { ...env, PATH: `${bin}:${env['PATH']}`, CDK_VALIDATION: 'false', CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const file = createWriteStream(log, { flags: 'a' });
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${program} ${args[0]} failed: see ${log}`);
  return out + errors;
};

/** The release of another commit, in a directory of its own, with the packages of this one. */
export const checkOut = (commit: string, directory: string): string => {
  execFileSync('git', ['worktree', 'add', '--detach', '--force', directory, commit], { cwd: root, stdio: 'ignore' });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  return directory;
};

export const removeCheckOut = (directory: string): void => {
  execFileSync('git', ['worktree', 'remove', '--force', directory], { cwd: root, stdio: 'ignore' });
};

/** The commit of the release before: of the last tag, or the parent of this one. */
export const releaseBefore = (): string => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    return git('describe', '--tags', '--abbrev=0', 'HEAD~1').toString().trim();
  } catch {
    return git('rev-parse', '--short', 'HEAD~1').toString().trim();
  }
};

type Settings = Readonly<Record<string, string>>;

const settings = (stage: string, more: Settings): readonly string[] =>
  Object.entries({
    stage,
    synthesizer: 'cli-credentials',
    PLATFORM_EMAIL: 'no-reply@platform.example',
    // The emulator has no service for texts, and the receiver of webhooks is on this machine.
    SMS_PROVIDER: 'none',
    WEBHOOK_TARGETS: 'any',
    ...more,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Synthesizes a stage as `cdk deploy` does. Returns the directory of the assembly. */
export const synthesize = async (stage: string, at: At, more: Settings = {}): Promise<string> => {
  const assembly = `${at.log.replace(/\.log$/, '')}-assembly`;
  await run(['cdk', 'synth', '--quiet', '--output', assembly, ...settings(stage, more)], at);
  return assembly;
};

export const deploy = (assembly: string, at: At, ...options: string[]): Promise<string> =>
  run(['cdk', 'deploy', '--all', '--app', assembly, '--require-approval', 'never', '--no-notices', ...options], at);

export const destroy = (assembly: string, at: At): Promise<string> =>
  run(['cdk', 'destroy', '--all', '--app', assembly, '--force', '--no-notices'], at);
