import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bundle } from './bundle.ts';
import { functionName } from './rows.ts';
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

it('a line that raises an alarm is counted in the log of each worker that can write it', async () => {
  const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
  onTestFinished(() => rmSync(outdir, { recursive: true }));
  const folders = workers.map(({ does }) => does);
  await bundle(outdir, folders);
  for (const { does, countedLines = [] } of workers) {
    const built = readFileSync(join(outdir, functionName(does), `${functionName(does)}.js`), 'utf8');
    const written = built.matchAll(/\b(needsPerson|mailRefused|textsRefused|outOfCredits):!0/g);
    expect([...new Set([...written].map(([, field]) => field))].toSorted(), does).toEqual(countedLines.toSorted());
  }
});
