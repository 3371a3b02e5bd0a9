import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { readOptions } from '../infra/local/options.ts';
import { synthesize } from '../infra/local/synth.ts';
import { stackEnvironment } from './stack-environment.ts';
import { outputOfReady, spawnStack } from './stack-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A cloud assembly of the current sources. Every test stack starts from it. */
    readonly assembly: string;
    /** The data directory of a stack that was started once, with the demo account. */
    readonly seeded: string;
    /** Answers with the data directory of the stack that test files share, once it is ready. */
    readonly sharedStackUrl: string;
  }
}

/** Synthesizing and seeding need seconds, so both run once; the assembly is reused until sources change. */
export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const assembly = resolve('node_modules/.cache/test-assembly');
  const bundles = await synthesize(assembly, readOptions([], stackEnvironment).settings);
  bundles.buildRest();
  await bundles.all;
  const newDirectory = (name: string): string => {
    const directory = mkdtempSync(join(tmpdir(), `${name}-`));
    writeFileSync(join(directory, 'stack.lock'), '');
    symlinkSync(assembly, join(directory, 'cdk.out'));
    return directory;
  };

  const seeded = newDirectory('seeded');
  await (await startStack(seeded)).stop();
  rmSync(join(seeded, 'cdk.out'));

  const shared = lend(() => startStack(newDirectory('shared')));
  provide('assembly', assembly);
  provide('seeded', seeded);
  provide('sharedStackUrl', await shared.url);
  return async () => {
    await shared.stop();
    rmSync(seeded, { recursive: true, force: true });
  };
};

type Started = Awaited<ReturnType<typeof startStack>>;

const startStack = async (dataDirectory: string) => {
  const stack = spawnStack(dataDirectory);
  const exited = once(stack, 'exit');
  await outputOfReady(stack);
  return {
    dataDirectory,
    stop: async (): Promise<void> => {
      stack.kill('SIGTERM');
      await exited;
    },
  };
};

/** Starts a stack for the first test file that asks: many runs need none. */
const lend = (start: () => Promise<Started>) => {
  let stack: Promise<Started> | undefined;
  const server = createServer(async (_, response) => {
    stack ??= start();
    response.end((await stack).dataDirectory);
  }).listen(0, '127.0.0.1');
  const url = once(server, 'listening').then(() => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    url,
    stop: async (): Promise<void> => {
      server.close();
      const started = await stack;
      await started?.stop();
      if (started) rmSync(started.dataDirectory, { recursive: true, force: true });
    },
  };
};
