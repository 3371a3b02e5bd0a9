import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptEmail, acceptedText } from '../../../test/accepted-message.ts';
import { loadRows } from '../../../test/bench/load-rows.ts';
import { loadMessages, messageFilters } from '../../../test/bench/messages.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { modelRuns } from '../../../test/model-runs.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { addUp, countName } from '../../analytics/counts.ts';
import { DynamoDbError } from '../../aws/dynamodb.ts';
import { firstIdAt, lastIdAt, newId, timeOfId } from '../../kit/id.ts';
import { inParts } from '../../kit/in-parts.ts';
import { once } from '../../kit/once.ts';
import { hourMs, minuteMs } from '../../kit/time-units.ts';
import { type Channel, channels, type Status } from '../../messages/message.ts';
import type { MessageFilter } from '../../messages/message-filter.ts';
import { newEmail } from '../../messages/new-message.ts';
import { firstSpread, type Spread } from '../../messages/spread.ts';
import { trafficJob } from '../../messages/traffic.ts';
import { itemKeys, partitions } from '../keys.ts';
import { analyticsStore } from './analytics-store.ts';
import { messageItems } from './message-items.ts';
import { messageKeys } from './message-places.ts';
import { messageRows } from './message-rows.ts';
import { messageStore } from './message-store.ts';
import { reviewStore } from './review-store.ts';
import { spreadStore } from './spread-store.ts';
import { trafficStore } from './traffic-store.ts';

const phone = '+8801712345678';
const startMs = Date.parse('2026-11-20T12:00:00.000Z');

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** Functions that have been warm for some time: each has its own memory of histories, and all have the same time. */
const warmFunctions = (count: number) => {
  let nowMs = startMs;
  const memories = Array.from({ length: count }, () => spreadStore(world.table, () => nowMs));
  return {
    now: () => nowMs,
    wait: (ms: number) => {
      nowMs += ms;
    },
    spreads: memories,
    senders: memories.map((spreads) => trafficStore(world.table, world.vault, spreads)),
    readers: memories.map((spreads) => messageStore(world.table, world.vault, spreads)),
    counters: memories.map((spreads) => analyticsStore(world.table, spreads)),
  };
};
type Warm = ReturnType<typeof warmFunctions>;

interface Kept {
  readonly id: string;
  readonly channel: Channel;
  readonly status: Status;
}

const newMessage = (nowMs: number, channel: Channel, status: Status): Kept => ({ id: newId(nowMs), channel, status });

const send = ({ senders }: Warm, by: number, { ref }: TestAccount, message: Kept) =>
  senders[by]?.record(ref, trafficJob.parse({ ...message, account: ref.id, origin: 'campaign' }));

/** Every page of a list, one after the other, by one reader. */
const listed = async (
  { readers }: Warm,
  by: number,
  { ref }: TestAccount,
  filter: Partial<Pick<Kept, 'channel' | 'status'>>,
  limit: number,
) => {
  const ids: string[] = [];
  for (;;) {
    const read = await readers[by]?.list(ref, filter, { cursor: ids.at(-1), limit });
    ids.push(...(read?.page ?? []).map(({ id }) => id));
    if (!read?.pagination.hasMore) return ids;
  }
};

/** An account of the release before has no history. */
const makeEarlier = ({ ref }: TestAccount) =>
  world.table.update({ Key: itemKeys.account(ref.id), UpdateExpression: 'REMOVE messageSpread' });

const channel = fc.constantFrom(...channels);
const status = fc.constantFrom<Status>('queued', 'sending', 'sent', 'delivered');
const by = fc.nat(2);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('send' as const), by, channel, status, ageMs: fc.nat(50_000) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 90_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('waitLong' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('raise' as const), by, shards: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      by,
      limit: fc.integer({ min: 1, max: 5 }),
      filter: fc.record({ channel, status }, { requiredKeys: [] }),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** An account that sends, lists and raises its spread, and what it has sent. */
const openAccount = async (isEarlier: boolean) => {
  const account = await world.newAccount();
  if (isEarlier) await makeEarlier(account);
  const warm = warmFunctions(3);
  const kept: Kept[] = [];

  const expectListed = async (reader: number, filter: Partial<Pick<Kept, 'channel' | 'status'>>, limit: number) => {
    const expected = kept.filter(
      (one) => one.channel === (filter.channel ?? one.channel) && one.status === (filter.status ?? one.status),
    );
    const ids = expected.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1));
    expect(await listed(warm, reader, account, filter, limit)).toEqual(ids);
  };

  const sendOne = async (sender: number, message: Kept): Promise<void> => {
    await send(warm, sender, account, message);
    kept.push(message);
  };

  const take = async (each: Step): Promise<void> => {
    switch (each.kind) {
      case 'wait':
        return warm.wait(each.ms);
      case 'waitLong':
        return warm.wait(70 * minuteMs);
      case 'raise':
        await warm.spreads[each.by]?.raise(account.ref.id, each.shards);
        return;
      case 'list':
        return expectListed(each.by, each.filter, each.limit);
      case 'send':
        return sendOne(each.by, newMessage(warm.now() - each.ageMs, each.channel, each.status));
    }
  };
  return { account, warm, kept, expectListed, take };
};

describe('messages of an account whose spread is raised while it sends', () => {
  it('stand in every list once and in order, and are found and counted, by functions with any memory of the history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 10, maxLength: 40 }), async (isEarlier, steps) => {
        const { account, warm, kept, expectListed, take } = await openAccount(isEarlier);
        for (const each of steps) await take(each);
        await expectListed(0, {}, 3);
        for (const [n, reader] of warm.readers.entries()) {
          for (const { id, ...rest } of kept) {
            expect(await reader.find(account.ref, id)).toMatchObject({ id, ...rest });
            expect(await reader.find(account.ref, id, rest.channel)).toMatchObject({ id });
          }
          const range = { startMs: 0, endMs: warm.now() };
          const counts = await warm.counters[n]?.count(account.ref, range, startMs);
          expect([...(counts?.values() ?? [])].reduce((sum, one) => sum + one, 0)).toBe(kept.length);
        }
      }),
      { numRuns: modelRuns(3) },
    );
  });

  it('lie in more partitions from two minutes later on, and of an account of the release before from an hour later on', async () => {
    for (const [isEarlier, laterMs] of [
      [false, 2 * minuteMs],
      [true, 60 * minuteMs],
    ] as const) {
      const account = await world.newAccount();
      if (isEarlier) await makeEarlier(account);
      const warm = warmFunctions(1);
      const partitionsUsed = async () => {
        const sent = Array.from({ length: 60 }, () => newMessage(warm.now(), 'sms', 'sent'));
        for (const message of sent) await send(warm, 0, account, message);
        const rows = (await world.scan()).filter(({ SK }) => sent.some(({ id }) => id === SK));
        return new Set(rows.map(({ PK }) => String(PK)));
      };
      await warm.spreads[0]?.raise(account.ref.id, 4);
      warm.wait(laterMs - 1);
      expect((await partitionsUsed()).size).toBe(1);
      warm.wait(1);
      const shards = Array.from({ length: 4 }, (_, shard) => itemKeys.message(account.ref.id, 'sms', shard, '').PK);
      expect([...(await partitionsUsed())].sort()).toEqual(shards.sort());
    }
  });

  it('have a spread that is only ever raised, doubled automatically to sixteen at most, and one at a time', async () => {
    const { ref } = await world.newAccount();
    const warm = warmFunctions(1);
    const [spreads] = warm.spreads;
    const shards = async () => (await spreads?.raise(ref.id, 1))?.map((entry) => entry.shards);
    await spreads?.double(ref.id);
    await spreads?.double(ref.id);
    expect(await shards()).toEqual([1, 2]);
    for (let n = 0; n < 6; n += 1) {
      warm.wait(3 * minuteMs);
      await spreads?.double(ref.id);
    }
    expect(await shards()).toEqual([1, 2, 4, 8, 16]);
    await Promise.all([spreads?.raise(ref.id, 40), spreads?.raise(ref.id, 40), spreads?.raise(ref.id, 20)]);
    expect((await shards())?.at(-1)).toBe(40);
    expect(await spreads?.raise(newId(startMs), 2)).toBeUndefined();
  });
});

/** From now on, the first transaction of every send is throttled at its first write. */
const throttleMessages = () => {
  const met = new Set<unknown>();
  return world.calls.tap('throttle-messages', (next) => async (name, input) => {
    const { TransactItems: items } = input as { TransactItems?: { Put?: { Item: { SK: unknown } } }[] };
    const id = JSON.stringify(items?.[0]?.Put?.Item.SK);
    if (name !== 'TransactWriteItems' || met.has(id)) return next(name, input);
    met.add(id);
    const CancellationReasons = items?.map((_, n) => ({ Code: n === 0 ? 'ThrottlingError' : 'None' }));
    throw new DynamoDbError({ status: 400, body: { __type: 'TransactionCanceledException', CancellationReasons } });
  });
};

it('an account whose messages are throttled spreads them further automatically, once at a time', async () => {
  const { ref } = await world.newAccount();
  const stop = throttleMessages();
  for (let n = 0; n < 3; n += 1) {
    const message = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(Date.now()));
    expect(await acceptEmail(world, ref, message)).toBe('accepted');
  }
  stop();
  expect((await world.spreads.raise(ref.id, 1))?.map(({ shards }) => shards)).toEqual([1, 2]);
});

/** An account with 1,200 messages in so many shards, whose key is known. */
const loaded = async (shards: number): Promise<TestAccount> => {
  const account = await world.newAccount();
  await loadMessages(world, account, 1_200, { shards });
  await world.messages.list(account.ref, {}, { limit: 1 });
  return account;
};
const loadedInOneShard = once(() => loaded(1));

describe('a page of messages', () => {
  it('costs at most three calls by every combination of filters, and about its rows in eight shards', async () => {
    const consumption = countConsumption(world.calls);
    const costsIn = async (account: TestAccount) => {
      const costs = new Map<MessageFilter, { readonly calls: number; readonly units: number }>();
      for (const { filter } of messageFilters)
        costs.set(filter, await consumption.of(() => world.messages.list(account.ref, filter, { limit: 20 })));
      return [...costs];
    };
    const inOneShard = await costsIn(await loadedInOneShard());
    expect(inOneShard).toHaveLength(16);
    for (const [filter, { calls, units }] of inOneShard)
      expect([filter, calls <= 3, units <= 60]).toEqual([filter, true, true]);
    for (const [filter, { calls, units }] of await costsIn(await loaded(8)))
      expect([filter, calls <= (filter.to ? 3 : 30), units <= 60]).toEqual([filter, true, true]);
  });
});

/** What the rows of an account are counted as, up to a time. */
const countedAs = async (account: TestAccount, spread: Spread, untilMs: number) => {
  const rows = messageRows(world.table, account.ref.id, spread);
  const counts = await rows.counts({ from: firstIdAt(0), to: lastIdAt(untilMs) });
  const counted = addUp(counts.map(({ channel, status, count }) => [countName(channel, status), count] as const));
  return Object.fromEntries([...counted].filter(([, count]) => count > 0));
};

it('messages that are delivered, and emails that are sent, are not in the index, and are listed and counted with the others in every spread', async () => {
  const { account, warm, kept, expectListed } = await openAccount(false);
  const [spreads] = warm.spreads;
  const fates: readonly Status[][] = [['sent'], ['sent', 'delivered'], ['sent', 'delivered', 'opened'], ['bounced']];
  const fill = async () => {
    for (let n = 0; n < 12; n += 1) {
      const { id } = newMessage(warm.now() + n, 'email', 'sent');
      const fate = fates[n % fates.length] ?? [];
      for (const status of fate) await send(warm, 0, account, { id, channel: 'email', status });
      kept.push({ id, channel: 'email', status: fate.at(-1) ?? 'sent' });
    }
  };
  await fill();
  await spreads?.raise(account.ref.id, 4);
  warm.wait(10 * minuteMs);
  await fill();
  for (const status of ['sent', 'delivered'] as const) {
    const text = newMessage(warm.now(), 'sms', status);
    await send(warm, 0, account, text);
    kept.push(text);
  }
  // As the release before laid it.
  const earlier = messageKeys(account.ref.id, firstSpread, { id: kept[0]?.id ?? '', channel: 'email' });
  await world.table.update({
    Key: earlier.item,
    UpdateExpression: 'SET GSI1PK = :place',
    ConditionExpression: 'attribute_exists(PK)',
    ExpressionAttributeValues: { ':place': partitions.messagesWith(account.ref.id, 'email', 'sent', 0).GSI1PK },
  });

  const filters = (['sent', 'delivered', 'opened', 'bounced'] as const).flatMap((status) => [
    { status },
    { status, channel: 'email' } as const,
  ]);
  for (const filter of filters) await expectListed(0, filter, 3);
  const untilMs = warm.now() + minuteMs;
  const spread = (await spreads?.of(account.ref.id, untilMs)) ?? firstSpread;
  expect(await countedAs(account, spread, untilMs)).toEqual({
    'email#sent': 6,
    'email#delivered': 6,
    'email#opened': 6,
    'email#bounced': 6,
    'sms#sent': 1,
    'sms#delivered': 1,
  });
  const stored = await world.table.getAll(kept.map((message) => messageKeys(account.ref.id, spread, message).item));
  const inIndex = stored.flatMap((row) =>
    row?.['GSI1PK'] === undefined ? [] : [`${row['channel']} ${row['status']}`],
  );
  expect(inIndex.toSorted()).toEqual([
    ...Array.from({ length: 6 }, () => 'email bounced'),
    ...Array.from({ length: 6 }, () => 'email opened'),
    ...['email sent', 'sms sent'],
  ]);
});

it('a text that is sending stands with the queued ones, and is listed, counted and found again as what it is', async () => {
  const account = await world.newAccount();
  const texts = [
    await acceptedText(world, account, { atMs: startMs }),
    await acceptedText(world, account, { atMs: startMs }),
  ];
  const [sending = '', queued = ''] = texts.map(({ message }) => message);
  const claim = { token: 'token', isRepeatable: false, nowMs: startMs };
  expect(await world.textSends.pickUp(account.ref, { message: sending, channel: 'sms' }, claim)).toMatchObject({
    kind: 'claimed',
  });
  // As the release before laid it.
  const earlier = await acceptedText(world, account, { atMs: startMs });
  await world.textSends.pickUp(account.ref, { message: earlier.message, channel: 'sms' }, claim);
  await world.table.update({
    Key: itemKeys.message(account.ref.id, 'sms', 0, earlier.message),
    UpdateExpression: 'SET GSI1PK = :place',
    ExpressionAttributeValues: { ':place': partitions.messagesWith(account.ref.id, 'sms', 'sending', 0).GSI1PK },
  });
  const wanted = { queued: [queued], sending: [sending, earlier.message].sort() } as const;
  const stranded = { after: '', roundMs: startMs + 2 * hourMs };
  for (const [is, ids] of Object.entries(wanted) as ['queued' | 'sending', string[]][]) {
    const { page } = await world.messages.list(account.ref, { status: is }, { limit: 10 });
    expect(page.map(({ id }) => id).sort()).toEqual(ids);
    const found = await world.stranded.messages({ account: account.ref.id, channel: 'sms', status: is }, stranded);
    expect(found.overdue.map(({ message }) => message).sort()).toEqual(ids);
  }
  const untilMs = Date.now();
  const spread = await world.spreads.of(account.ref.id, untilMs);
  expect(await countedAs(account, spread, untilMs)).toEqual({ 'sms#queued': 1, 'sms#sending': 2 });
  const begun: string[] = [];
  const review = reviewStore(world.table, world.vault, world.spreads);
  for await (const { message } of review.begun(account.ref.id, Date.now())) begun.push(message);
  expect(begun.sort()).toEqual([queued, ...wanted.sending].sort());
});

it('an email whose send was cut off is listed and found by a round at the same cost among many that are sent and not confirmed', async () => {
  const account = await world.newAccount();
  const warm = warmFunctions(1);
  const { id } = newMessage(startMs - hourMs, 'email', 'sending');
  await acceptEmail(world, account.ref, newEmail({ channel: 'email', to: 'ada@example.com' }, id));
  const partition = { account: account.ref.id, channel: 'email', status: 'sending' } as const;
  const consumption = countConsumption(world.calls);
  const cost = () =>
    consumption.of(async () => {
      const { page, pagination } = await world.messages.list(account.ref, { status: 'sending' }, { limit: 20 });
      expect([page.map((one) => one.id), pagination.hasMore]).toEqual([[id], false]);
      const { overdue, next } = await world.stranded.messages(partition, { after: '', roundMs: startMs });
      expect([overdue.map(({ message }) => message), next]).toEqual([[id], undefined]);
    });
  await cost();
  const alone = await cost();
  const campaign = Array.from({ length: 120 }, (_, n) => newMessage(startMs - 90 * minuteMs + n, 'email', 'sent'));
  await inParts(campaign, 20, async (message) => send(warm, 0, account, message));
  expect(await cost()).toEqual(alone);
});

it('a page of delivered emails costs three calls at most where one of eight is delivered', async () => {
  const account = await loadedInOneShard();
  const { calls, units } = await countConsumption(world.calls).of(async () => {
    const delivered = { channel: 'email', status: 'delivered' } as const;
    expect((await world.messages.list(account.ref, delivered, { limit: 20 })).page).toHaveLength(20);
  });
  expect([calls <= 3, units <= 60]).toEqual([true, true]);
});

describe('messages to one address', () => {
  /** In five minutes, most of them by sms, as the release before laid them and in several shards. */
  const fill = async (spread: Spread, count: number) => {
    const { ref } = await world.newAccount();
    await world.table.update({
      Key: itemKeys.account(ref.id),
      UpdateExpression: 'SET messageSpread = :spread',
      ExpressionAttributeValues: { ':spread': spread },
    });
    const cipher = await world.vault.unlock(ref);
    const rows = Array.from({ length: count }, (_, n) => {
      const { id, ...kinds } = newMessage(
        startMs + (n * 300_000) / count,
        n % 40 ? 'sms' : 'whatsapp',
        n % 70 ? 'sent' : 'failed',
      );
      const message = { ...newEmail({ channel: 'email', to: phone }, id), ...kinds };
      const place = { ...messageKeys(ref.id, spread, message), accountId: ref.id, cipher, ...message };
      return messageItems(place, message, { origin: 'api', recipient: { phone } }).row;
    });
    loadRows(world, rows);
    return { ref, rows };
  };

  it('are all on the pages of every combination of filters, whose calls and rows are bounded', async () => {
    const [oneShardMs, moreMs] = [startMs + 60_000, startMs + 180_000];
    const spread = [
      { fromMs: oneShardMs, shards: 1 },
      { fromMs: moreMs, shards: 4 },
    ];
    const { ref, rows } = await fill(spread, 120);
    const consumption = countConsumption(world.calls);
    const to = { phone };
    for (const channel of [undefined, ...channels])
      for (const status of [undefined, 'sent', 'failed'] as const)
        for (const dates of [{}, { createdAfterMs: startMs + 30_000, createdBeforeMs: startMs + 240_000 }]) {
          const filter = { to, channel, status, ...dates };
          const ids: string[] = [];
          let cursor: string | undefined;
          do {
            const { calls, units } = await consumption.of(async () => {
              const { page, pagination } = await world.messages.list(ref, filter, { cursor, limit: 20 });
              ids.push(...page.map(({ id }) => id));
              cursor = pagination.cursor ?? undefined;
            });
            expect([filter, calls <= 3, units <= 60]).toEqual([filter, true, true]);
          } while (cursor !== undefined);
          const fitting = rows.filter((row) => {
            const atMs = timeOfId(row.SK);
            const { createdAfterMs = 0, createdBeforeMs = Number.POSITIVE_INFINITY } = filter;
            const isOfKind = (channel ?? row.channel) === row.channel && (status ?? row.status) === row.status;
            return isOfKind && atMs >= createdAfterMs && atMs <= createdBeforeMs;
          });
          expect([filter, ids]).toEqual([filter, fitting.map(({ SK }) => SK).toReversed()]);
        }
  });

  it('are not looked for in channels that cannot reach it', async () => {
    const { ref } = await fill(firstSpread, 1);
    const consumption = countConsumption(world.calls);
    for (const [to, channel] of [
      [{ phone }, 'email'],
      [{ email: 'ada@example.com' }, 'sms'],
      [{ email: 'ada@example.com' }, 'whatsapp'],
    ] as const) {
      const cost = await consumption.of(async () =>
        expect(await world.messages.list(ref, { to, channel }, { limit: 20 })).toEqual({
          page: [],
          pagination: { cursor: null, hasMore: false },
        }),
      );
      expect(cost.calls).toBe(0);
    }
  });
});
