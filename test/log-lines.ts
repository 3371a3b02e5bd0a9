import { vi } from 'vitest';

/** Collects the lines that are logged during the test. */
export const linesOf = async (run: () => Promise<unknown>): Promise<Record<string, unknown>[]> => {
  vi.stubEnv('LOG_LEVEL', 'info');
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await run();
  const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)));
  written.mockRestore();
  vi.unstubAllEnvs();
  return lines;
};
