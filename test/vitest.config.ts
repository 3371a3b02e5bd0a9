import { defineConfig } from 'vitest/config';

// CDK's validation of templates takes longer than all else about them, and runs at deployments.
const env = { LOG_LEVEL: 'off', CDK_VALIDATION: 'false' };
const shared = { root: '.', env, testTimeout: 20_000, hookTimeout: 60_000 };
const onStack = { ...shared, globalSetup: 'test/synthesize-once.ts' };

/** Tests of `test` that need no stack. */
const ofSources = ['test/{ceilings,client,keys,openapi,rooms}.test.ts'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      // All files of a worker share one load of the SDK: no test modifies a module.
      {
        test: {
          ...shared,
          name: 'rooms',
          include: ['{infra,functions,shared}/**/*.test.ts', ...ofSources],
          isolate: false,
        },
      },
      { test: { ...onStack, name: 'whole', include: ['test/*.test.ts'], exclude: ofSources } },
      // Tests that measure time run alone, after all others.
      { test: { ...onStack, name: 'alone', include: ['test/alone/*.test.ts'], sequence: { groupOrder: 1 } } },
    ],
  },
});
