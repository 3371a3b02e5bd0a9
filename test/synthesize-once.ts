import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { readOptions } from '../infra/local/options.ts';
import { synthesize } from '../infra/local/synth.ts';
import { stackEnvironment } from './stack-environment.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A cloud assembly of the current sources. Every test stack starts from it. */
    readonly assembly: string;
    /** The data directory of a stack that was started once, with the demo account. */
    readonly seeded: string;
  }
}

/** Synthesizing and seeding need seconds, so both run once; the assembly is reused until sources change. */
export const setup = async ({ provide }: TestProject): Promise<() => void> => {
  const assembly = resolve('node_modules/.cache/test-assembly');
  const bundles = await synthesize(assembly, readOptions([], stackEnvironment).settings);
  bundles.buildRest();
  await bundles.all;
  provide('assembly', assembly);
  const seeded = mkdtempSync(join(tmpdir(), 'seeded-'));
  writeFileSync(join(seeded, 'stack.lock'), '');
  symlinkSync(assembly, join(seeded, 'cdk.out'));
  await seed(seeded);
  rmSync(join(seeded, 'cdk.out'));
  provide('seeded', seeded);
  return () => rmSync(seeded, { recursive: true, force: true });
};

const seed = async (directory: string): Promise<void> => {
  const main = ['--disable-warning=ExperimentalWarning', 'infra/local/main.ts', '--port', '0', '--data-dir', directory];
  const child = spawn(process.execPath, main, {
    env: { ...process.env, ...stackEnvironment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('Ready in')) child.kill('SIGTERM');
  });
  await exited;
  if (!existsSync(join(directory, 'demo-account.json'))) throw new Error('no stack could be started');
};
