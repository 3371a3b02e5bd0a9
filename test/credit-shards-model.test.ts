import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eachCounter } from '../shared/accounts/credits.ts';
import { newId } from '../shared/kit/id.ts';
import { failures } from '../shared/messages/failures.ts';
import { newText } from '../shared/messages/new-message.ts';
import { creditKeys } from '../shared/table/accounts/credit-items.ts';
import { creditStore } from '../shared/table/accounts/credit-store.ts';
import { itemKeys } from '../shared/table/keys.ts';
import { messageStore } from '../shared/table/messages/message-store.ts';
import { sendStore } from '../shared/table/messages/send-store.ts';
import type { Item, Table } from '../shared/table/table.ts';
import { modelRuns } from './model-runs.ts';
import { startWorld, type TestAccount, type World } from './world.ts';

// Sends, returned credits, operators' changes and raises of the spread at the same time, call by call in any order: a read of several items is
// one call for each, and any transaction of a send may meet conflicts first. The sum of all shards is compared after each write.

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const atMs = Date.parse('2026-11-20T12:00:00.000Z');

const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('send' as const), segments: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('give back' as const) }) },
  fc.record({ kind: fc.constant('adjust' as const), by: fc.integer({ min: -6, max: 6 }) }),
  fc.record({ kind: fc.constant('set' as const), to: fc.nat({ max: 12 }) }),
  fc.record({ kind: fc.constant('raise' as const), to: fc.constantFrom(2, 4) }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

interface Sequence {
  readonly callers: readonly (readonly Action[])[];
  readonly credits: number;
  readonly shards: number;
  /** How many conflicts the transactions of sends meet, in turn. */
  readonly conflicts: readonly number[];
}

const sequence: fc.Arbitrary<Sequence> = fc.record({
  callers: fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 5 }),
  credits: fc.nat({ max: 12 }),
  shards: fc.constantFrom(1, 2),
  conflicts: fc.array(fc.nat({ max: 2 }), { maxLength: 9 }),
});

const heldIn = (shards: readonly (Item | undefined)[], name: string): number[] =>
  shards.map((item) => Number(item?.[name] ?? 0));
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** The first items of a read are read one by one, and the others, which hold nothing in these runs, together. */
const lastGroup = 8;
const groups = <T>(keys: readonly T[]): T[][] =>
  [...keys.slice(0, lastGroup).map((key) => [key]), keys.slice(lastGroup)].filter((group) => group.length > 0);

/** The table, whose calls wait for their turn, and end before the next one begins. `afterWrite` sees the table before any other call does. */
const inTurns = (s: fc.Scheduler, conflicts: readonly number[], afterWrite: () => Promise<void>): Table => {
  // `scheduleFunction` would begin the call at once, and only its answer would wait for its turn.
  const turn =
    <A extends unknown[], R>(call: (...input: A) => Promise<R>) =>
    (...input: A): Promise<R> => {
      const { promise, resolve, reject } = Promise.withResolvers<R>();
      s.scheduleSequence([{ label: call.name, builder: () => call(...input).then(resolve, reject) }]);
      return promise;
    };
  const read = turn(world.table.getAll);
  const write = turn(async (writes: Parameters<Table['transact']>[0]) => {
    const refused = await world.table.transact(writes);
    await afterWrite();
    return refused;
  });
  const meetConflict = turn(async () => {});
  let transactions = 0;
  return {
    ...world.table,
    get: turn(world.table.get),
    getAll: async (keys) => {
      const parts = await Promise.all(groups(keys).map((group) => read(group)));
      return keys.map((_, n) => parts[Math.min(n, lastGroup)]?.[Math.max(0, n - lastGroup)]);
    },
    update: turn(world.table.update),
    transact: async (writes) => {
      if (typeof writes !== 'function') return write(writes);
      let built = writes([], []);
      for (let left = conflicts[transactions++] ?? 0; left > 0; left -= 1) {
        await meetConflict();
        built = writes(
          built.map((_, position) => position),
          [],
        );
      }
      return write(built);
    },
  };
};

const play = async (s: fc.Scheduler, { callers, credits, shards, conflicts }: Sequence): Promise<void> => {
  const { ref }: TestAccount = await world.newAccount({ credits: eachCounter(() => credits) });
  await world.credits.raiseShards(ref.id, shards);
  const history = [credits];
  const table = inTurns(s, conflicts, async () => {
    const items = await world.table.getAll(creditKeys(ref.id, 16));
    const held = heldIn(items, 'smsMasked');
    for (const each of held) expect(each).toBeGreaterThanOrEqual(0);
    expect(sum(heldIn(items, 'smsMaskedMoved'))).toBe(0);
    history.push(sum(held));
  });
  const sends = sendStore(table, world.vault, world.spreads);
  const messages = messageStore(table, world.vault, world.spreads);
  const operators = creditStore(table, world.vault);
  const accepted: string[] = [];
  let expected = credits;

  const send = async (segments: number): Promise<void> => {
    const id = newId(atMs);
    const text = 'x'.repeat(segments * 150);
    const message = newText({ channel: 'sms', to: '+8801700000000' }, id, text, 'masked');
    const draft = { message, contact: { phone: '+8801700000000' }, text };
    const began = history.length - 1;
    for (;;) {
      const { creditShards = 1 } = { ...(await table.get(itemKeys.account(ref.id))) };
      const context = {
        holder: { contactId: id, isRetired: false },
        optOut: undefined,
        creditShards: Number(creditShards),
      };
      const outcome = await sends.write(ref, draft, context, undefined);
      if (outcome === 'stale') continue;
      if (outcome === 'unfunded') expect(Math.min(...history.slice(began))).toBeLessThan(segments);
      else expect(outcome).toBe('accepted');
      if (outcome === 'accepted') expected -= segments;
      if (outcome === 'accepted') accepted.push(id);
      return;
    }
  };

  const giveBack = async (): Promise<void> => {
    const message = await messages.find(ref, accepted.pop() ?? '');
    if (!message) return;
    expected += message.price.credits;
    expect(await messages.fail(ref, message, 'sendInterrupted', failures.interrupted, atMs)).toBe(true);
  };

  const change = async (act: Action): Promise<void> => {
    const cause = { id: newId(atMs), who: 'test', reason: null };
    const only = (smsMasked: number) => ({ email: 0, smsMasked, smsNonMasked: 0 });
    if (act.kind === 'send') return send(act.segments);
    if (act.kind === 'give back') return giveBack();
    if (act.kind === 'set') return operators.set(ref, only(act.to), cause);
    if (act.kind === 'raise') return void (await operators.raiseShards(ref.id, act.to));
    const began = history.length - 1;
    const isDone = await operators.adjust(ref, { ...cause, change: only(act.by) });
    if (!isDone) expect(Math.min(...history.slice(began))).toBeLessThan(-act.by);
  };

  const running = callers.map(async (actions) => {
    for (const act of actions) await change(act);
  });
  await s.waitFor(Promise.all(running));
  const changes = await world.credits.ledger(ref, { cursor: undefined, limit: 1_000 });
  const byOperators = sum(changes.map(({ smsMasked }) => smsMasked)) - credits;
  expect(history.at(-1)).toBe(expected + byOperators);
  expect((await world.accounts.credits(ref.id))?.smsMasked).toBe(history.at(-1));
};

it('credits in shards add up after any interleaving, are never negative, and a send is refused only when their sum is short', async () => {
  await fc.assert(fc.asyncProperty(fc.scheduler(), sequence, play), { numRuns: modelRuns(10) });
});
