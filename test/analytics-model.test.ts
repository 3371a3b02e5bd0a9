import type { DynamoDBRecord } from 'aws-lambda';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getMessageAnalyticsContract } from '../functions/analytics/get-message-analytics/contract.ts';
import { getMessageAnalytics } from '../functions/analytics/get-message-analytics/handler.ts';
import { countMessages } from '../functions/messages/count-messages/handler.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { newId, nthId, timeOfId } from '../shared/kit/id.ts';
import { iso } from '../shared/kit/time.ts';
import { hourMs } from '../shared/kit/time-units.ts';
import type { Message } from '../shared/messages/message.ts';
import { moves, type Trigger } from '../shared/messages/moves.ts';
import { type AcceptedMessage, newEmail } from '../shared/messages/new-message.ts';
import { trafficJob } from '../shared/messages/traffic.ts';
import { analyticsStore } from '../shared/table/messages/analytics-store.ts';
import type { Table } from '../shared/table/table.ts';
import { streamReader } from '../shared/work/stream-reader.ts';
import { acceptEmail } from './accepted-message.ts';
import { call } from './call.ts';
import { readMessageRecords } from './message-records.ts';
import { inFull, modelFaults, modelRuns } from './model-runs.ts';
import { recountMessages } from './recount-messages.ts';
import { startWorld, type TestAccount, type World } from './world.ts';

// Compares hour counts with a recount of the rows, for any time range, after any sequence of accepts, moves and withdrawals. The stream
// repeats records, and the function may crash at any transaction.

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const endMs = startMs + 4 * hourMs;
const address = { email: 'ada@example.com' };

/** Times at the boundaries of counting, and random ones. */
const instant = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(-1, 0, 1))
    .map(([hours, offset]) => startMs + hours * hourMs + offset),
  fc.integer({ min: startMs, max: endMs }),
);

const triggers = Object.keys(moves) as Trigger[];
const slot = fc.nat({ max: 3 });
const action = fc.oneof(
  fc.record({ kind: fc.constant('accept' as const), slot }),
  fc.record({ kind: fc.constant('withdraw' as const), slot }),
  fc.record({ kind: fc.constant('move' as const), slot, trigger: fc.constantFrom(...triggers) }),
  fc.record({
    kind: fc.constant('traffic' as const),
    slot,
    channel: fc.constantFrom('sms', 'whatsapp'),
    status: fc.constantFrom('queued', 'sent', 'delivered', 'read', 'rejected'),
  }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** The fate of a batch: after `kept` the stream continues; otherwise the batch returns, after it was counted or after a crash at a transaction. */
const delivery = fc.record({
  size: fc.integer({ min: 1, max: 6 }),
  fate: fc.oneof(fc.constantFrom('kept' as const, 'repeated' as const), fc.nat({ max: 2 })),
});
type Delivery = typeof delivery extends fc.Arbitrary<infer T> ? T : never;

let world: World;
let readRecords: () => Promise<DynamoDBRecord[]>;
beforeAll(async () => {
  world = await startWorld({ hasStream: true, ...(inFull && { faults: modelFaults }) });
  readRecords = await readMessageRecords(world);
});
afterAll(() => world.close());

const perform = async ({ ref }: TestAccount, messages: readonly AcceptedMessage[], act: Action): Promise<void> => {
  const message = messages[act.slot];
  if (!message) return;
  if (act.kind === 'move') await world.messages.move(ref, message, act.trigger, endMs);
  if (act.kind === 'withdraw') await world.messages.withdraw(ref, message);
  if (act.kind === 'accept') {
    await acceptEmail(world, ref, message);
  }
  if (act.kind === 'traffic') {
    const id = nthId(message.id, act.channel === 'sms' ? 1 : 2);
    const job = trafficJob.parse({ ...act, id, account: ref.id, origin: 'campaign' });
    await world.traffic.record(ref, job);
  }
};

/** A table whose transactions fail after the first `count`: before execution or, for odd counts, after it. */
const dyingAfter = (count: number): Table => {
  let left = count;
  const transact: Table['transact'] = async (writes) => {
    left -= 1;
    if (left >= 0) return world.table.transact(writes);
    if (left % 2 === 0) await world.table.transact(writes);
    throw new Error('the function has died');
  };
  return { ...world.table, transact };
};

const countBatch = async (Records: DynamoDBRecord[], table: Table): Promise<boolean> => {
  const read = streamReader(countMessages({ analytics: analyticsStore(table, world.spreads) }), () => endMs);
  return read({ Records }).then(
    () => true,
    () => false,
  );
};

const deliver = async (records: DynamoDBRecord[], deliveries: readonly Delivery[]): Promise<void> => {
  let at = 0;
  for (const { size, fate } of deliveries) {
    const batch = records.slice(at, at + size);
    const isDone = await countBatch(batch, typeof fate === 'number' ? dyingAfter(fate) : world.table);
    if (isDone && fate === 'kept') at += size;
  }
  expect(await countBatch(records.slice(at), world.table)).toBe(true);
  // A run that was presumed dead.
  expect(await countBatch(records.slice(0, deliveries.length), world.table)).toBe(true);
};

const isIn = ({ id }: Message, from: number, to: number): boolean => timeOfId(id) >= from && timeOfId(id) <= to;

it('analytics equal a recount of the rows for any range, also when the stream repeats changes and functions crash', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(instant, { minLength: 4, maxLength: 4 }),
      fc.array(action, { minLength: 1, maxLength: 16 }),
      fc.array(delivery, { maxLength: 12 }),
      fc.array(fc.tuple(instant, instant), { minLength: 8, maxLength: 8 }),
      fc.integer({ min: startMs, max: endMs + 2 * hourMs }),
      async (created, actions, deliveries, ranges, nowMs) => {
        const account = await world.newAccount();
        const messages = created.map((ms) => newEmail({ channel: 'email', to: address.email }, newId(ms)));
        for (const act of actions) await perform(account, messages, act);
        await deliver(await readRecords(), deliveries);

        const { page: rows } = await world.messages.list(account.ref, {}, { limit: 100 });
        const analytics = endpoint(
          getMessageAnalyticsContract,
          getMessageAnalytics(world),
          world.callers('analytics:read'),
          () => nowMs,
        );
        for (const [from, to] of [[startMs - 1, endMs + 1] as const, ...ranges]) {
          const { body } = await call(analytics, {
            key: account.key,
            query: { startDate: iso(from), endDate: iso(to) },
          });
          expect(body.data).toEqual({
            range: { startDate: iso(from), endDate: iso(to) },
            channels: recountMessages(rows.filter((row) => isIn(row, from, to))),
          });
        }
      },
    ),
    { numRuns: modelRuns(8) },
  );
});
