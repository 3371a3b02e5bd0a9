import { defineConfig } from 'vitest/config';

const shared = { root: '.', env: { LOG_LEVEL: 'off' }, testTimeout: 20_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'rooms', include: ['{infra,functions,shared}/**/*.test.ts'] } },
      { test: { ...shared, name: 'whole', include: ['test/**/*.test.ts'], globalSetup: 'test/synthesize-once.ts' } },
    ],
  },
});
