import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { assemblyFolder } from '../infra/local/data-directory.ts';
import { openScheduleStore } from '../infra/local/emulators/scheduler-store.ts';
import { listenLocally } from '../infra/local/listen-locally.ts';
import { readOptions } from '../infra/local/options.ts';
import { synthesize } from '../infra/local/synth.ts';
import { stackEnvironment } from './stack-environment.ts';
import { startStackProcess } from './stack-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly testbedUrl: string;
  }
}

const assembly = resolve('node_modules/.cache/test-assembly');

/** Makes what `testbed.ts` offers, while the tests that need no stack run. */
export const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const seeded = newDirectory('seeded');
  const made = make(seeded);
  made.catch(() => undefined);
  // The first test file that asks starts the shared stack: many runs need none.
  const sharedDirectory = newDirectory('shared');
  let shared: ReturnType<typeof startStackProcess> | undefined;
  const answers: Readonly<Record<string, () => Promise<unknown>>> = {
    '/made': () => made,
    '/shared': async () => {
      // No test reads the line that it would print for each request.
      shared ??= startStackProcess(sharedDirectory, { arguments: ['--quiet'] });
      await shared;
      return sharedDirectory;
    },
  };
  const server = createServer(async ({ url = '' }, response) => {
    const [answer] = await Promise.allSettled([answers[url]?.()]);
    const isMade = answer.status === 'fulfilled';
    response.writeHead(isMade ? 200 : 500).end(JSON.stringify(isMade ? answer.value : String(answer.reason)));
  });
  const { url: testbedUrl, close } = await listenLocally(server);
  provide('testbedUrl', testbedUrl);

  return async () => {
    await close();
    await made.catch(() => undefined);
    // A test has said so where it did not start.
    await (await shared?.catch(() => undefined))?.stop();
    for (const directory of [seeded, sharedDirectory]) rmSync(directory, { recursive: true, force: true });
  };
};

const make = async (seeded: string) => {
  const bundles = await synthesize(assembly, readOptions([], stackEnvironment).settings);
  bundles.buildRest();
  await bundles.all;
  await (await startStackProcess(seeded)).stop();
  postponeSchedules(seeded);
  rmSync(join(seeded, assemblyFolder));
  return { assembly, seeded };
};

/** Each stack that starts with a copy would first run what fell due since. */
const postponeSchedules = (dataDirectory: string): void => {
  const store = openScheduleStore(join(dataDirectory, 'scheduler.sqlite'));
  const nextRunAt = Date.now() + 3_600_000;
  for (const schedule of store.list({ limit: 100 })) store.put({ ...schedule, nextRunAt });
  store.close();
};

const newDirectory = (name: string): string => {
  const directory = mkdtempSync(join(tmpdir(), `${name}-`));
  writeFileSync(join(directory, 'stack.lock'), '');
  symlinkSync(assembly, join(directory, assemblyFolder));
  return directory;
};
