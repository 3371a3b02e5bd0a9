import { expect, it } from 'vitest';
import { mostIndexRows } from '../shared/contacts/list-plan.ts';
import { timeoutSeconds } from './build-function.ts';
import { routes } from './routes.ts';

/** Lambda gives a whole processor with so much memory. */
const megabytesOfProcessor = 1_769;
/** What an index row takes until its page is found, and what the function takes besides. Measured with searches that match 1.3 and 2 million contacts. */
const row = { bytes: 100, processorSeconds: 3.3e-6, memoryMegabytes: 170e-6 };
const megabytesAtRest = 240;
/** A partition of DynamoDB gives so much. */
const bytesPerSecond = 12e6;

it('a list of contacts looks through as many index rows as it has memory and time for', () => {
  const { memoryMegabytes = 512 }: { memoryMegabytes?: number } = routes['GET /api/v1/contacts'];
  const processors = Math.min(memoryMegabytes / megabytesOfProcessor, 1);
  const secondsPerRow = row.bytes / bytesPerSecond + row.processorSeconds / processors;
  expect(mostIndexRows * secondsPerRow).toBeLessThan(0.9 * timeoutSeconds);
  expect(megabytesAtRest + mostIndexRows * row.memoryMegabytes).toBeLessThan(0.8 * memoryMegabytes);
});
