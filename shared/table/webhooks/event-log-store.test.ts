import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countConsumption } from '../../../test/consumption.ts';
import { modelRuns } from '../../../test/model-runs.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { newId } from '../../kit/id.ts';
import { firstOfTail, longestPage, longestTail, usualPage } from '../../webhooks/event-log.ts';
import type { Sequences } from '../../webhooks/publish.ts';
import { itemKeys, partitions } from '../keys.ts';
import type { Table } from '../table.ts';
import { endIn, loggedIn } from './event-log-items.ts';
import { eventStore } from './event-store.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** The table of a run that dies before its nth call. */
const dyingAt = (table: Table, calls: number): Table => {
  let left = calls;
  const dies =
    <Parts extends unknown[], Result>(call: (...parts: Parts) => Promise<Result>) =>
    async (...parts: Parts): Promise<Result> => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return call(...parts);
    };
  return {
    ...table,
    get: dies(table.get),
    getAll: dies(table.getAll),
    add: dies(table.add),
    putAll: dies(table.putAll),
    update: dies(table.update),
  };
};

const subscriptions = [newId(1), newId(2)];

/** Several runs publish at once; each has some of the events, and may die after some calls. */
const round = fc.array(
  fc.record({ first: fc.nat(20), count: fc.integer({ min: 1, max: 8 }), calls: fc.constantFrom(1, 2, 3, 4, 5, 7, 99) }),
  { minLength: 1, maxLength: 5 },
);

it('numbers events without gaps for each subscription, regardless of what is published at once, repeated or killed, and lists each once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 4 }), async (rounds) => {
      const { ref } = await world.newAccount();
      const nowMs = Date.now();
      const all = Array.from({ length: 25 }, (_, n) => ({
        id: `evt_${newId(nowMs + n)}`,
        name: 'message.sent',
        occurredMs: nowMs + n,
        payload: `${n}`,
        wantedBy: subscriptions.filter((_one, wanting) => n % (wanting + 2) !== 0),
      }));
      const lastOnly = all.length - 2;
      const given = new Map<string, Sequences>();
      const run = async (calls: number, events: typeof all) => {
        const store = eventStore(dyingAt(world.table, calls), world.vault, 'messaging');
        const published = await store.storeNumbered(ref, events);
        expect([...published.keys()].sort()).toEqual(events.map(({ id }) => id).sort());
        for (const [id, sequences] of published) {
          expect(given.get(id) ?? sequences).toEqual(sequences);
          given.set(id, sequences);
        }
      };
      for (const runs of rounds)
        await Promise.allSettled(
          runs.map(({ first, count, calls }) => run(calls, all.slice(first, Math.min(first + count, lastOnly)))),
        ).then((ends) => {
          const failed = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
          expect(failed.filter((reason) => reason !== 'Error: killed')).toEqual([]);
        });
      // Whoever adds to a log keeps it short, so the last runs have one of their own to add: the first ends the page of a run that died.
      await run(Number.MAX_SAFE_INTEGER, all.slice(0, -1));
      await run(Number.MAX_SAFE_INTEGER, all);

      for (const webhook of subscriptions) {
        const numbers = [...given.values()].flatMap((sequences) => sequences[webhook] ?? []);
        const wanted = all.filter(({ wantedBy }) => wantedBy.includes(webhook)).length;
        expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: wanted }, (_, n) => n + 1));
      }
      const pages = await world.table.query(partitions.eventPages(ref.id, 'messaging'), {
        from: '0',
        to: 'g',
        newestFirst: false,
      });
      const end = endIn((await world.table.get(itemKeys.eventLog(ref.id, 'messaging'))) ?? {});
      expect(end.tail.length).toBeLessThanOrEqual(longestTail);
      // A run that died may have left in the tail what is on its page.
      const onPages = pages.flatMap(({ events }) => loggedIn(events));
      const listed = [...onPages, ...end.tail.slice(Math.max(0, onPages.length + 1 - firstOfTail(end)))].map(
        ({ id }) => id,
      );
      const items = await world.table.getAll(all.map(({ id }) => itemKeys.event(ref.id, id)));
      const inOrder = items.toSorted((a, b) => Number(a?.['position']) - Number(b?.['position']));
      expect(inOrder.map((item) => item?.['position'])).toEqual(all.map((_, n) => n + 1));
      expect(listed).toEqual(inOrder.map((item) => String(item?.['PK']).split('#EVENT#')[1]));
    }),
    { numRuns: modelRuns(3), seed: 1 },
  );
});

const webhook = newId(1);
const event = (n: number) => ({
  id: `evt_${newId(n)}`,
  name: 'message.sent',
  occurredMs: Date.now(),
  payload: '{}',
  wantedBy: [webhook],
});

it('ten events that nobody wants cost a write unit each and three more together, also in the log of the release before', async () => {
  const { ref } = await world.newAccount();
  const ten = () => Array.from({ length: 10 }, (_, n) => ({ ...event(n), name: 'message.delivered', wantedBy: [] }));
  const { split } = countConsumption(world.calls);
  // The marks of those that left the end last are still there.
  await world.events.storeNumbered(ref, [...ten(), ...ten().slice(8)]);
  const { written } = await split(() => world.events.storeNumbered(ref, ten()));
  expect(written).toBe(13);
  const Key = itemKeys.eventLog(ref.id, 'messaging');
  await world.table.update({
    Key,
    UpdateExpression: 'SET account = :account, entity = :entity',
    ExpressionAttributeValues: { ':account': ref.id, ':entity': 'eventLog' },
  });
  await world.events.storeNumbered(ref, ten());
  const end = await world.table.get(Key);
  expect([end?.['account'], end?.['entity']]).toEqual([undefined, undefined]);
});

it('gives the numbers of an event that another run stores and puts on a page meanwhile', async () => {
  const { ref } = await world.newAccount();
  const [first = event(0), ...others] = Array.from({ length: longestTail + 2 }, (_, n) => event(n));
  const [own = event(0), ...rest] = others;
  await expect(
    eventStore(dyingAt(world.table, 3), world.vault, 'messaging').storeNumbered(ref, [first]),
  ).rejects.toThrow();
  let updates = 0;
  const delayed: Table = {
    ...world.table,
    update: async (change) => {
      updates += 1;
      // The first one found the event of the other run.
      if (updates === 2) await world.events.storeNumbered(ref, [first, ...rest]);
      return world.table.update(change);
    },
  };
  expect(await eventStore(delayed, world.vault, 'messaging').storeNumbered(ref, [first, own])).toEqual(
    new Map([
      [first.id, { [webhook]: 1 }],
      [own.id, { [webhook]: longestTail + 2 }],
    ]),
  );
});

it('goes on while an event is not stored for long, and remembers its numbers', async () => {
  const { ref } = await world.newAccount();
  const lost = event(0);
  const dying = eventStore(dyingAt(world.table, 3), world.vault, 'messaging');
  await expect(dying.storeNumbered(ref, [lost])).rejects.toThrow('killed');
  for (let n = 0; n < 12; n += 1)
    await world.events.storeNumbered(
      ref,
      Array.from({ length: 10 }, (_, m) => event(n * 10 + m)),
    );
  const end = endIn((await world.table.get(itemKeys.eventLog(ref.id, 'messaging'))) ?? {});
  expect(end.tail.length).toBeLessThan(60);
  expect(end.late).toEqual({ [lost.id]: { position: 1, sequences: { [webhook]: 1 } } });
  expect(await world.events.storeNumbered(ref, [lost])).toEqual(new Map([[lost.id, { [webhook]: 1 }]]));
});

it('goes on after the last event that is stored where many events are of no type that was asked for', async () => {
  const { ref } = await world.newAccount();
  const some = (count: number) => Array.from({ length: count }, (_, n) => event(n));
  // With another one as many pages as one list reads: ten times two, each time from the last page before on. Its last events are not stored.
  const events = eventStore(world.table, world.vault, 'messaging', 2);
  const usualPages = 10 * 1;
  for (let n = 0; n < usualPages; n += 1) await events.storeNumbered(ref, some(usualPage));
  const die = async (lost: ReturnType<typeof some>) => {
    const dying = eventStore(dyingAt(world.table, 3), world.vault, 'messaging');
    await expect(dying.storeNumbered(ref, lost)).rejects.toThrow('killed');
  };
  await die(some(1));
  await events.storeNumbered(ref, some(48));
  for (const lost of [some(50), some(1)]) await die(lost);
  const wanted = { ...event(0), name: 'message.failed', payload: '{"the":"one"}' };
  await events.storeNumbered(ref, [wanted]);
  const pages = await world.table.query(partitions.eventPages(ref.id, 'messaging'), {
    from: '0',
    to: 'g',
    newestFirst: false,
  });
  expect(pages.map((page) => loggedIn(page['events']).length)).toEqual([
    ...Array.from({ length: usualPages }, () => usualPage),
    longestPage,
  ]);

  const list = (after?: string) => events.list(ref, { sinceMs: 0, names: [wanted.name], after, limit: 10 }, Date.now());
  const first = await list();
  expect(first).toEqual({ payloads: [], next: expect.any(String) });
  expect(await list(first?.next)).toEqual({ payloads: [wanted.payload], next: undefined });
});
