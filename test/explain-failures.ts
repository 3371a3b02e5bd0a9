import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import * as z from 'zod';
import { usedStacks } from './used-stacks.ts';

const line = z.looseObject({ timestamp: z.string(), level: z.string(), status: z.number().default(0) });

const isTrouble = (text: string, fromMs: number): boolean => {
  try {
    const { timestamp, level, status } = line.parse(JSON.parse(text));
    return Date.parse(timestamp) >= fromMs && (level === 'error' || level === 'warn' || status >= 500);
  } catch {
    return false;
  }
};

/** What functions of a stack have logged of failures. */
const troubleIn = (dataDirectory: string, fromMs: number): string[] => {
  const logs = join(dataDirectory, 'logs');
  if (!existsSync(logs)) return [];
  return readdirSync(logs).flatMap((name) =>
    readFileSync(join(logs, name), 'utf8')
      .split('\n')
      .filter((text) => isTrouble(text, fromMs))
      .map((text) => `${name}: ${text}`),
  );
};

/** A test that fails says what failed in its stack meanwhile: on a busy machine, it may not happen again. */
beforeEach(({ onTestFailed }) => {
  const fromMs = Date.now();
  onTestFailed(() => {
    const trouble = [...usedStacks].flatMap((dataDirectory) => troubleIn(dataDirectory, fromMs));
    if (trouble.length > 0) console.error(trouble.join('\n'));
  });
});
