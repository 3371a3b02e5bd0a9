import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { dateAheadMs, putDateAhead } from './shifted-date.ts';
import { StartFailure } from './start-failure.ts';

const clockSchema = z.object({ aheadMs: z.number().min(0) });
const clockFile = 'clock.json';

/**
 * How far the clock of a data directory is ahead of the machine's.
 * @throws StartFailure
 */
export const aheadIn = (dataDirectory: string): number => {
  const file = join(dataDirectory, clockFile);
  if (!existsSync(file)) return 0;
  try {
    return clockSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).aheadMs;
  } catch {
    throw new StartFailure(`${file} is damaged. Delete the data: npm start -- --fresh`);
  }
};

/**
 * Sets `Date` of this process to the clock of a data directory. A skip is kept there, so that time does not go back after a restart.
 * @throws StartFailure
 */
export const openStackClock = (dataDirectory: string) => {
  putDateAhead(aheadIn(dataDirectory));
  return {
    skip: (byMs: number): void => {
      const aheadMs = dateAheadMs() + byMs;
      const file = join(dataDirectory, clockFile);
      writeFileSync(`${file}.new`, JSON.stringify({ aheadMs }));
      renameSync(`${file}.new`, file);
      putDateAhead(aheadMs);
    },
    close: (): void => putDateAhead(0),
  };
};
