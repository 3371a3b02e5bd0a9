import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { inFull } from './model-runs.ts';
import { soon } from './soon.ts';

// esbuild, which is written in Go, collects garbage for a third of its time by default. It bundles all functions for this process, not for workers.
process.env['GOGC'] ??= '400';
// CDK's validation of templates takes longer than all else about them, and runs at deployments.
const env = { LOG_LEVEL: 'off', CDK_VALIDATION: 'false' };
/** With `npm run test:long`, thousands of sequences are one test. */
const timeoutMs = inFull ? 24 * 3_600_000 : 2 * soon.timeout;
// All files of a worker share one load of the sources and the SDK: no test modifies a module.
const shared = {
  root: '.',
  env,
  setupFiles: ['test/seeded.ts', 'test/plain-stacks.ts'],
  isolate: false,
  testTimeout: timeoutMs,
  hookTimeout: timeoutMs,
  expect: { poll: { timeout: soon.timeout } },
};

/** Tests of `test` that need no stack. */
const ofSources = [
  'test/{ceilings,client,dashboard-parts,deploy,keys,limits,openapi,openapi-enforced,people-access,rooms,world}.test.ts',
];

/** Files that take longest begin first, so that no worker is left alone with one. */
const longest = [
  'simulation/worlds-',
  'browser.test',
  'infra/replay/',
  'infra/new/',
  'attempt-delivery/handler',
  'test/dashboard',
  'test/whole-stack',
  'test/stack',
  'test/commands',
  'test/webhooks',
  'crash.test',
  'test/texts.test',
  'test/checkout-',
  'test/cost',
  'test/growth',
  'test/arguments',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((part) => moduleId.includes(part));
      return found < 0 ? longest.length : found;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    // Node runs the sources as they are: nothing is transformed, and no module is mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    globalSetup: 'test/make-descriptions.ts',
    projects: [
      {
        test: {
          ...shared,
          name: 'worlds',
          // These only compute: two that share a core spoil each other's caches, and both take a third longer.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
          include: ['test/simulation/**/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'rooms',
          // These wait for the emulators now and then.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          include: ['{infra,functions,shared}/**/*.test.ts', ...ofSources],
        },
      },
      {
        test: {
          ...shared,
          name: 'whole',
          // These wait for stacks, browsers and deadlines more than they compute.
          maxWorkers: 5,
          sequence: { groupOrder: 2 },
          include: ['test/*.test.ts'],
          exclude: ofSources,
          globalSetup: 'test/make-testbed.ts',
          setupFiles: [...shared.setupFiles, 'test/explain-failures.ts', 'test/stop-stacks.ts'],
        },
      },
    ],
  },
});
