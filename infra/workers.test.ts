import { expect, it } from 'vitest';
import { workers } from './workers.ts';

/** What the largest mail takes of a function's memory until SES has it: 7 MB of files and the most content. Measured. */
const megabytesOfMail = 205;
/** What a function takes before its first job. */
const megabytesAtRest = 110;

it('a run that sends scheduled mails has memory for the largest ones, as many as its batch', () => {
  const { on, memoryMegabytes = 512 } = workers.find(({ does }) => does === 'messages/send-scheduled') ?? {};
  const batches = [on].flat().map((source) => (source && 'queue' in source ? source.batchSize : 0));
  const largest = Math.max(...batches);
  expect(largest).toBeGreaterThan(0);
  expect(megabytesAtRest + largest * megabytesOfMail).toBeLessThan(memoryMegabytes);
});
