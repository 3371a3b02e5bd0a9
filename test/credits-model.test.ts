import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countMessages } from '../functions/messages/count-messages/handler.ts';
import { creditCounters, eachCounter } from '../shared/accounts/credits.ts';
import { newId } from '../shared/kit/id.ts';
import { hourMs } from '../shared/kit/time-units.ts';
import { failures } from '../shared/messages/failures.ts';
import { moves, type Trigger } from '../shared/messages/moves.ts';
import { type AcceptedMessage, newEmail, newText } from '../shared/messages/new-message.ts';
import { streamReader } from '../shared/work/stream-reader.ts';
import { readMessageRecords } from './message-records.ts';
import { modelRuns } from './model-runs.ts';
import { startWorld, type TestAccount, type World } from './world.ts';

// Compares the ledger with the counters: after any mix of sends, outcomes, returned credits, adjustments and PUTs, some concurrent, with a
// stream that repeats records, the entries add up to the credits.

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const endMs = startMs + 3 * hourMs;

const slot = fc.nat({ max: 5 });
const triggers = Object.keys(moves) as Trigger[];
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('accept' as const), slot }) },
  fc.record({ kind: fc.constant('withdraw' as const), slot }),
  fc.record({ kind: fc.constant('fail' as const), slot }),
  fc.record({ kind: fc.constant('fail claimed' as const), slot }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('move' as const), slot, trigger: fc.constantFrom(...triggers) }),
  },
  fc.record({ kind: fc.constant('adjust' as const), by: fc.integer({ min: -30, max: 30 }) }),
  fc.record({ kind: fc.constant('set' as const), to: fc.nat({ max: 30 }) }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

let world: World;
let read: () => Promise<DynamoDBRecord[]>;
beforeAll(async () => {
  world = await startWorld({ hasStream: true });
  read = await readMessageRecords(world);
});
afterAll(() => world.close());

/** Emails, and texts of one to three segments from either sms counter, spread over three hours. */
const messageAt = (n: number): AcceptedMessage => {
  const id = newId(startMs + n * (hourMs / 2));
  if (n % 2 === 0) return newEmail({ channel: 'email', to: 'ada@example.com' }, id);
  const asked = { channel: 'sms', to: '+8801700000000' } as const;
  return newText(asked, id, 'x'.repeat(n * 90), n === 1 ? 'masked' : 'non_masked');
};

const perform = async ({ ref }: TestAccount, messages: readonly AcceptedMessage[], act: Action): Promise<void> => {
  if (act.kind === 'set')
    return world.setCredits(
      ref,
      eachCounter(() => act.to),
    );
  if (act.kind === 'adjust') {
    const cause = { id: newId(endMs), who: 'test', reason: null };
    await world.credits.adjust(ref, { ...cause, change: eachCounter((counter) => (counter === 'email' ? act.by : 1)) });
    return;
  }
  const message = messages[act.slot];
  if (!message) return;
  const { channel } = message;
  if (act.kind === 'move') await world.messages.move(ref, message, act.trigger, endMs);
  if (act.kind === 'withdraw' && channel === 'email') await world.messages.withdraw(ref, message);
  if (act.kind === 'fail') await world.messages.fail(ref, message, 'sendInterrupted', failures.interrupted, endMs);
  if (act.kind === 'fail claimed' && channel === 'sms') {
    const wishes = { token: randomUUID(), isRepeatable: true, nowMs: endMs };
    const picked = await world.textSends.pickUp(ref, { message: message.id, channel }, wishes);
    if (picked.kind === 'claimed')
      await world.textSends.fail(ref, picked, 'providerRefused', failures.unavailable, endMs);
  }
  if (act.kind === 'accept') {
    const draft = { message, contact: { email: 'ada@example.com' }, ...(channel !== 'email' && { text: 'Hello' }) };
    const holder = { contactId: message.id, isRetired: false };
    await world.sends.write(ref, draft, { holder, optOut: undefined }, undefined);
  }
};

const countInBatches = async (records: DynamoDBRecord[], size: number): Promise<void> => {
  const count = streamReader(countMessages(world), () => endMs);
  for (let at = 0; at < records.length; at += size) {
    await count({ Records: records.slice(at, at + size) });
    await count({ Records: records.slice(Math.max(0, at - size), at + size) });
  }
};

it('ledger entries add up to the credits after any sends, returns, adjustments and PUTs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 7 }),
      async (steps, batchSize) => {
        const account = await world.newAccount({ credits: eachCounter(() => 20) });
        const messages = Array.from({ length: 6 }, (_, n) => messageAt(n));
        for (const together of steps) await Promise.all(together.map((act) => perform(account, messages, act)));
        await countInBatches(await read(), batchSize);
        const { page: entries } = await world.credits.ledger(account.ref, { cursor: undefined, limit: 1_000 });
        const sums = eachCounter((counter) => entries.reduce((sum, entry) => sum + entry[counter], 0));
        expect(sums).toEqual(await world.accounts.credits(account.ref.id));
        for (const counter of creditCounters) expect(sums[counter]).toBeGreaterThanOrEqual(0);
      },
    ),
    { numRuns: modelRuns(6) },
  );
});
