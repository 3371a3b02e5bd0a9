import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { workers } from '../infra/workers.ts';
import { measuredFigures } from '../shared/docs/figures.ts';
import { log } from '../shared/kit/log.ts';
import { operationFigureOf } from './bench/figures.ts';
import { busyBatch, measureOperations, scheduledBatch } from './cost/operations.ts';
import { stepMeter } from './cost/step-meter.ts';
import { dollarsPerMillion, durationMs } from './cost/usage.ts';
import { expectTableIn } from './document-table.ts';
import { inFull } from './model-runs.ts';

const isOfAll = inFull || process.env['WRITE_README'] === 'true';
/** Ten operations take ten times as long as one: `npm test` has one of each kind, on each path from a request to its webhook. */
const busy = ['an email to a known contact, without webhooks', 'an sms, two webhooks', 'a payment until its webhook'];

it('what each operation costs is as the documentation says, alone and while the service is busy', async () => {
  const measured = await measureOperations(isOfAll ? {} : { busy });
  const rows = measured.map(({ name, load, operations, steps }) => {
    const { api, functions, table, queues, logs, together } = dollarsPerMillion(steps, operations);
    const figures = [api, functions, table, queues, logs, together].map((dollars) => dollars.toFixed(1));
    return { name, load, together, row: `| ${[name, load, ...figures].join(' | ')} |` };
  });
  if (!isOfAll) expect(rows.filter(({ load }) => load === 'busy').map(({ name }) => name)).toEqual(busy);
  const page = 'shared/docs/pages/costs.md';
  const lines = rows.map(({ row }) => row);
  if (isOfAll)
    expectTableIn(page, '| $ for a million | load | API | functions | table | queues | logs | together |', lines);
  else expect(readFileSync(page, 'utf8').split('\n')).toEqual(expect.arrayContaining(lines));
  const emails = rows
    .filter(({ name }) => name.startsWith('an email to a known contact'))
    .map(({ together }) => together);
  const [least, most] = [Math.min(...emails), Math.max(...emails)].map((dollars) => dollars.toFixed());
  expect(readFileSync('README.md', 'utf8')).toContain(`a million emails $${least} to $${most}`);
  const dearest = Math.max(...rows.map(({ together }) => together));
  expect(dearest).toBeLessThan(60);
  expect(
    measured.map(operationFigureOf).map(({ logBytes, ...counts }) => counts),
    'calls or units are not those of the documentation: npm run bench -- figures --write',
  ).toEqual(
    measuredFigures.operations
      .filter(({ name, load }) => isOfAll || load === 'trickle' || busy.includes(name))
      .map(({ logBytes, ...counts }) => counts),
  );
  for (const figure of measured.map(operationFigureOf)) {
    const known = measuredFigures.operations.find(({ name, load }) => name === figure.name && load === figure.load);
    expect([figure.name, figure.logBytes <= 1.02 * (known?.logBytes ?? 0)]).toEqual([figure.name, true]);
  }
});

it('lines of other work in the same process are not measured', async () => {
  const meter = stepMeter();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const other = begun.then(() => log('info', 'other work')).then(end);
  await meter.step({ does: 'messages/get-message', invocations: 1, jobs: 1 }, async () => {
    log('info', 'this work');
    begin();
    await ended;
    log('info', 'this work');
  });
  await other;
  expect(meter.take()).toMatchObject([{ logLines: 2 }]);
});

it('a million operations cost what their parts do, and ten at once less than ten alone', async () => {
  const step = {
    ...{ does: 'messages/get-message', invocations: 1, jobs: 1, isRequest: true },
    calls: { read: 2, write: 1, transaction: 0 },
    units: { Read: 2, Write: 1 },
    ...{ queueRequests: 3, queueWaits: 0, published: 1, outside: {} },
    ...{ logLines: 1, logBytes: 224, processorMs: 0 },
  };
  const bill = dollarsPerMillion([step], 1);
  expect(bill).toMatchObject({ api: 1, table: expect.closeTo(0.875), queues: expect.closeTo(2) });
  expect(bill.logs).toBeCloseTo(0.275);
  expect(bill.together).toBeCloseTo(bill.api + bill.functions + bill.table + bill.queues + bill.logs);
  expect(dollarsPerMillion([{ ...step, jobs: 10 }], 10).functions).toBeLessThan(bill.functions);
});

it('a function costs by the memory of its row, and computes as much faster', () => {
  const step = {
    ...{ invocations: 1, jobs: 1, isRequest: true },
    calls: { read: 2, write: 1, transaction: 0 },
    units: { Read: 2, Write: 1 },
    ...{ queueRequests: 0, queueWaits: 0, published: 0, outside: {} },
    ...{ logLines: 0, logBytes: 0, processorMs: 0 },
  };
  // 2 × 3 + 5 ms of calls; 7.5 + 1 and 2.5 + 1 ms of a processor, of which 1,769 MB are one.
  const [send, get] = ['messages/send-message', 'messages/get-message'].map((does) => ({ ...step, does }));
  expect([send, get].map((each) => each && durationMs(each))).toEqual([26, 24]);
  const [ofSend, ofGet] = [send, get].map((each) => each && dollarsPerMillion([each], 1).functions);
  expect(ofSend).toBeCloseTo(0.2 + 26 * 1 * 0.0133334);
  expect(ofGet).toBeCloseTo(0.2 + 24 * 0.5 * 0.0133334);
});

it('workers get as many jobs at a time as their rows say', () => {
  const batchSizes = workers.flatMap(({ does, on }) =>
    [on].flat().flatMap((source) => ('queue' in source ? [[does, source.batchSize] as const] : [])),
  );
  expect(new Map(batchSizes).get('messages/send-scheduled')).toBe(scheduledBatch);
  expect(new Map(batchSizes).get('messages/send-text')).toBe(busyBatch);
});
