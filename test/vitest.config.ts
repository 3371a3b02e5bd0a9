import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: '.',
    include: ['{infra,functions,shared,events,test}/**/*.test.ts'],
    globalSetup: 'test/synthesize-once.ts',
    pool: 'forks',
    env: { LOG_LEVEL: 'off' },
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
