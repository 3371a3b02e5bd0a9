import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { freshStart } from './fresh-start.ts';
import { machineNowMs, putDateAhead } from './shifted-date.ts';
import { StartFailure } from './start-failure.ts';
import { writeWhole } from './write-whole.ts';

/** From this time of the machine on, the stack's clock is ahead by so much. */
const skipSchema = z.object({ sinceMs: z.number(), aheadMs: z.number().min(0) });
type Skip = z.output<typeof skipSchema>;
const clockFile = 'clock.json';

/** The skips of a data directory, the last one first. */
const skipsIn = (dataDirectory: string): readonly Skip[] => {
  const file = join(dataDirectory, clockFile);
  if (!existsSync(file)) return [];
  try {
    return z.array(skipSchema).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartFailure(`${file} is damaged. Delete the data: ${freshStart(dataDirectory)}`);
  }
};

const lastOf = ([last]: readonly Skip[]): number => last?.aheadMs ?? 0;

/**
 * How far the clock of a data directory is ahead of the machine's.
 * @throws StartFailure
 */
export const aheadIn = (dataDirectory: string): number => lastOf(skipsIn(dataDirectory));

/**
 * Sets `Date` of this process to the clock of a data directory. Skips are kept there, so that time does not go back after a restart.
 * @throws StartFailure
 */
export const openStackClock = (dataDirectory: string) => {
  let skips = skipsIn(dataDirectory);
  putDateAhead(lastOf(skips));
  return {
    skip: (byMs: number): void => {
      // The database knows whole seconds only.
      const sinceMs = Math.floor(machineNowMs() / 1_000) * 1_000;
      skips = [{ sinceMs, aheadMs: lastOf(skips) + byMs }, ...skips];
      writeWhole(join(dataDirectory, clockFile), JSON.stringify(skips));
      putDateAhead(lastOf(skips));
    },
    /** What the clock showed at a time of the machine. It stays the same after later skips. */
    at: (machineMs: number): number => machineMs + lastOf(skips.filter(({ sinceMs }) => sinceMs <= machineMs)),
    close: (): void => putDateAhead(0),
  };
};
