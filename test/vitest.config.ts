import { defineConfig } from 'vitest/config';

const shared = { root: '.', env: { LOG_LEVEL: 'off' }, testTimeout: 20_000, hookTimeout: 60_000 };
const onStack = { ...shared, globalSetup: 'test/synthesize-once.ts' };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      // One load of the SDK for all files of a worker: nothing here changes a module.
      { test: { ...shared, name: 'rooms', include: ['{infra,functions,shared}/**/*.test.ts'], isolate: false } },
      { test: { ...onStack, name: 'whole', include: ['test/*.test.ts'] } },
      // What measures time has the machine to itself, after everything else.
      { test: { ...onStack, name: 'alone', include: ['test/alone/*.test.ts'], sequence: { groupOrder: 1 } } },
    ],
  },
});
