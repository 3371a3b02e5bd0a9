import type { StatusChange } from '../../shared/analytics/status-change.ts';
import { newId } from '../../shared/kit/id.ts';
import { dayMs } from '../../shared/kit/time-units.ts';
import type { Status } from '../../shared/messages/message.ts';
import { noPrice } from '../../shared/messages/new-message.ts';
import { trafficJob } from '../../shared/messages/traffic.ts';
import { itemKeys } from '../../shared/table/keys.ts';
import { countConsumption } from '../consumption.ts';
import type { TestAccount, World } from '../world.ts';

const nowMs = Date.parse('2026-11-20T12:34:56.789Z');
const batchSize = 100;

/** Spreads messages evenly over the last days, and counts them as the stream worker does. */
const fill = async (world: World, { ref }: TestAccount, messages: number, days: number): Promise<void> => {
  const ids = Array.from({ length: messages }, (_, n) => newId(nowMs - Math.floor((n * days * dayMs) / messages)));
  for (let start = 0; start < messages; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const common = { account: ref.id, origin: 'campaign', channel: 'sms', status: 'delivered' } as const;
    await Promise.all(batch.map((id) => world.traffic.record(ref, trafficJob.parse({ ...common, id }))));
    await world.analytics.record(
      batch.map((id, n) => change(ref.id, id, undefined, 'delivered', n)),
      nowMs,
    );
  }
};

const change = (
  account: string,
  id: string,
  before: Status | undefined,
  after: Status,
  sequence: number,
): StatusChange => ({
  account,
  id,
  channel: 'sms',
  before: before && { status: before, price: noPrice },
  after: { status: after, price: noPrice },
  partition: itemKeys.message(account, 'sms', 0, id).PK,
  sequence: String(sequence).padStart(40, '0'),
  atMs: nowMs,
});

/** The cost of a range by its length and by the number of messages, compared with reading the messages of the range. */
const benchRanges = async (world: World) => {
  const consumption = countConsumption(world.calls);
  const rows = [];
  for (const [messages, spreadDays] of [
    [200, 30],
    [1_000, 30],
    [200, 1],
    [1_000, 1],
  ] as const) {
    const account = await world.newAccount();
    await fill(world, account, messages, spreadDays);
    for (const days of [1, 30]) {
      const range = { startMs: nowMs - days * dayMs, endMs: nowMs };
      const { calls, units } = await consumption.of(() => world.analytics.count(account.ref, range, nowMs));
      const listing = { createdAfterMs: range.startMs, createdBeforeMs: range.endMs };
      const read = await consumption.of(() => world.messages.list(account.ref, listing, { limit: messages }));
      rows.push({
        messages,
        'spread over days': spreadDays,
        'range in days': days,
        calls,
        units,
        'units by reading rows': read.units,
      });
    }
  }
  return rows;
};

/** The cost of counting per change, by the number of changes of one hour in a batch. */
const benchChanges = async (world: World) => {
  const consumption = countConsumption(world.calls);
  const account = newId(nowMs);
  const rows = [];
  for (const together of [1, 10, 100]) {
    const ids = Array.from({ length: together }, () => newId(nowMs));
    const unitsOf = async (changes: StatusChange[]) =>
      (await consumption.of(() => world.analytics.record(changes, nowMs))).units / together;
    rows.push({
      'changes together': together,
      'units each, first': await unitsOf(ids.map((id) => change(account, id, undefined, 'sent', 1))),
      'units each, later': await unitsOf(ids.map((id) => change(account, id, 'sent', 'delivered', 2))),
      'units each, repeated': await unitsOf(ids.map((id) => change(account, id, 'sent', 'delivered', 2))),
    });
  }
  return rows;
};

/** Capacity units of message analytics. */
export const benchAnalytics = async (world: World) => ({
  ranges: await benchRanges(world),
  changes: await benchChanges(world),
});
