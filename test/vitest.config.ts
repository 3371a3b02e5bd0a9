import { defineConfig } from 'vitest/config';

// CDK's validation of templates takes longer than all else about them, and runs at deployments.
const env = { LOG_LEVEL: 'off', CDK_VALIDATION: 'false' };
const shared = { root: '.', env, testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 90_000 } } };

/** Tests of `test` that need no stack. */
const ofSources = ['test/{ceilings,client,dashboard-parts,keys,openapi,people-access,rooms}.test.ts'];

export default defineConfig({
  test: {
    // Tests wait for emulators, browsers and deadlines more than they compute.
    maxWorkers: 3,
    projects: [
      // All files of a worker share one load of the SDK: no test modifies a module.
      {
        test: {
          ...shared,
          name: 'rooms',
          include: ['{infra,functions,shared,test/simulation}/**/*.test.ts', ...ofSources],
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          env: { ...env, HAS_TESTBED: 'true' },
          name: 'whole',
          include: ['test/*.test.ts'],
          exclude: ofSources,
          globalSetup: 'test/make-testbed.ts',
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
