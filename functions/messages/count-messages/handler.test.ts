import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countName } from '../../../shared/analytics/counts.ts';
import { newId } from '../../../shared/kit/id.ts';
import { hourMs } from '../../../shared/kit/time-units.ts';
import type { Status } from '../../../shared/messages/message.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { hourOf } from '../../../shared/table/messages/analytics-store.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { readMessageRecords } from '../../../test/message-records.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { countMessages } from './handler.ts';

const hour = Date.parse('2026-11-20T12:00:00.000Z');
const long = hour + 100 * hourMs;

let world: World;
let account: TestAccount;
let readRecords: () => Promise<DynamoDBRecord[]>;

beforeAll(async () => {
  world = await startWorld({ hasStream: true });
  account = await world.newAccount();
  readRecords = await readMessageRecords(world);
});
afterAll(() => world.close());

const countBatch = (Records: DynamoDBRecord[]) => streamReader(countMessages(world), () => long)({ Records });

const accept = async (createdMs: number, of = account) => {
  const message = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(createdMs));
  await acceptEmail(world, of.ref, message);
  return message;
};

/** What the hour that begins then counts, by status. */
const counted = async (of = account, startMs = hour) => {
  const counts = await world.analytics.count(of.ref, { startMs, endMs: startMs + hourMs - 1 }, long);
  return (...statuses: Status[]) => statuses.map((status) => counts.get(countName('email', status)) ?? 0);
};

it('counts a message in the hour of its creation, with its current status', async () => {
  const message = await accept(hour + 5);
  await accept(hour + hourMs - 1);
  await accept(hour + hourMs);
  await countBatch(await readRecords());
  expect((await counted())('sending', 'sent')).toEqual([2, 0]);
  expect((await counted(account, hour + hourMs))('sending')).toEqual([1]);
  await world.messages.move(account.ref, message, 'providerAccepted', long);
  await countBatch(await readRecords());
  expect((await counted())('sending', 'sent')).toEqual([1, 1]);
});

it('stops counting a message that was withdrawn, and counts it again when it is sent again', async () => {
  const other = await world.newAccount();
  const message = await accept(hour, other);
  await countBatch(await readRecords());
  await world.messages.withdraw(other.ref, message);
  const withdrawal = await readRecords();
  await countBatch(withdrawal);
  expect((await counted(other))('sending')).toEqual([0]);
  await acceptEmail(world, other.ref, message);
  await countBatch([...withdrawal, ...(await readRecords())]);
  expect((await counted(other))('sending')).toEqual([1]);
});

it('counts repeated changes once, whole, in parts or by two concurrent runs', async () => {
  const other = await world.newAccount();
  const message = await accept(hour, other);
  await world.messages.move(other.ref, message, 'providerAccepted', long);
  await world.messages.move(other.ref, message, 'deliveryConfirmed', long);
  const records = await readRecords();
  expect(records).toHaveLength(3);
  await Promise.allSettled([countBatch(records), countBatch(records.slice(0, 2))]);
  for (const part of [records, records.slice(0, 1), records.slice(1), records]) await countBatch(part);
  expect((await counted(other))('sending', 'sent', 'delivered')).toEqual([0, 0, 1]);
});

it('counts a move of a message whose earlier changes are forgotten', async () => {
  const other = await world.newAccount();
  const message = await accept(hour, other);
  await countBatch(await readRecords());
  for (const { PK, SK, seen } of await world.scan())
    if (seen) await world.table.remove({ PK: String(PK), SK: String(SK) });
  await world.messages.move(other.ref, message, 'providerAccepted', long);
  const move = await readRecords();
  await countBatch(move);
  await countBatch(move);
  expect((await counted(other))('sending', 'sent')).toEqual([0, 1]);
});

it('lets what it remembers expire after the stream has forgotten the changes', async () => {
  await accept(hour);
  await countBatch(await readRecords());
  const marks = (await world.scan()).filter(({ seen }) => seen !== undefined);
  expect(marks.length).toBeGreaterThan(0);
  for (const { expiresAt } of marks) expect(expiresAt).toBe(long / 1_000 + 48 * 3_600);
});

it('counts more messages of an hour than one transaction holds, and changes nothing for a rewrite', async () => {
  const other = await world.newAccount({ credits: { email: 250 } });
  for (let n = 0; n < 101; n += 1) await accept(hour + n, other);
  const records = await readRecords();
  const rewrites = records.map((record) => ({
    ...record,
    eventName: 'MODIFY' as const,
    dynamodb: {
      ...record.dynamodb,
      ...(record.dynamodb?.NewImage && { OldImage: record.dynamodb.NewImage }),
      SequenceNumber: `${record.dynamodb?.SequenceNumber}0`,
    },
  }));
  await countBatch([...records, ...rewrites]);
  expect((await counted(other))('sending')).toEqual([101]);
});

/** As if all were written in the same second. */
const inOneSecond = async () =>
  (await readRecords()).map((record) => ({
    ...record,
    dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: hour / 1_000 },
  }));

it('counts changes of one second to messages of more hours than one transaction holds, each once', async () => {
  const other = await world.newAccount({ credits: { email: 150 } });
  for (let n = 0; n < 120; n += 1) await accept(hour - n * hourMs, other);
  const records = await inOneSecond();
  await countBatch(records.slice(0, 50));
  for (let n = 0; n < 2; n += 1) await countBatch(records);
  const range = { startMs: hour - 119 * hourMs, endMs: hour + hourMs - 1 };
  const counts = await world.analytics.count(other.ref, range, long);
  expect(counts.get(countName('email', 'sending'))).toBe(120);
});

it('counts a thousand changes of one second and hour with two calls and a few units', async () => {
  const other = await world.newAccount();
  await accept(hour, other);
  const [record = expect.fail()] = await inOneSecond();
  const records = Array.from({ length: 1_000 }, (_, n) => ({
    ...record,
    dynamodb: { ...record.dynamodb, NewImage: { ...record.dynamodb.NewImage, SK: { S: newId(hour + n) } } },
  }));
  const { calls, units } = await countConsumption(world.calls).of(() => countBatch(records));
  expect(calls).toBe(2);
  expect(units).toBeLessThan(25);
  for (let n = 0; n < 2; n += 1) await countBatch(records);
  expect(await world.table.get(itemKeys.hourCounts(other.ref.id, hourOf(hour)))).toMatchObject({
    [countName('email', 'sending')]: 1_000,
  });
});

it('fails a batch with an unreadable record, and counts nothing of it', async () => {
  const other = await world.newAccount();
  await accept(hour, other);
  const [record] = await readRecords();
  const broken: DynamoDBRecord = { ...record, dynamodb: { ...record?.dynamodb, NewImage: { SK: { S: 'x' } } } };
  await expect(countBatch([...(record ? [record] : []), broken])).rejects.toThrow();
  expect((await counted(other))('sending')).toEqual([0]);
});
