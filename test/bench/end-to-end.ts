import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { TableSpec } from '../../infra/local/blueprint.ts';
import { startDynamodb } from '../../infra/local/emulators/dynamodb.ts';
import type { Spent } from '../../infra/local/emulators/dynamodb-contention.ts';
import { startDynamodbLimits } from '../../infra/local/emulators/dynamodb-limits.ts';
import type { Load } from '../../infra/local/emulators/dynamodb-units.ts';
import { localClient } from '../../infra/local/local-client.ts';
import { countName } from '../../shared/analytics/counts.ts';
import { channels } from '../../shared/messages/message.ts';
import { startReceiver } from '../../shared/providers/webhook/receiver-fixture.ts';
import { partitions } from '../../shared/table/keys.ts';
import { type StackFile, startStackProcess } from '../stack-process.ts';
import { tableSpec } from '../world.ts';

// What messages cost on a whole stack, from the request to the last webhook and count: the calls of every function are recorded on their way
// to the table.

const messages = 20;
/** How many are sent at a time. */
const usual = 4;
/** After the last delivery and count, what tidies up follows within this time. */
const tidyMs = 1_000;
const longestMs = 180_000;
const webhooks = 2;
/** `message.sent` and `message.delivered`. */
const eventsEach = 2;

/** A partition key without its ids, fingerprints and numbers of shards. */
const placeOf = ({ index, partition }: Load): string => {
  const place = partition
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replaceAll(/[\w-]{40,}/g, '…')
    .replaceAll(/#\d+(?=#|$)/g, '');
  return index === undefined ? place : `${index} ${place}`;
};

/** How many messages are counted as delivered, and how many of their events were delivered. */
const standingIn = async (client: DynamoDBDocumentClient, TableName: string, account: string) => {
  const itemsOf = async (partition: string) => {
    const found = await client.send(
      new QueryCommand({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'PK = :partition',
        ExpressionAttributeValues: { ':partition': partition },
      }),
    );
    return found.Items ?? [];
  };
  const sumOf = (items: readonly Record<string, unknown>[], name: string) =>
    items.reduce((sum, item) => sum + Number(item[name] ?? 0), 0);
  const subscriptions = await itemsOf(partitions.webhooks(account).PK);
  const deliveries = await Promise.all(subscriptions.map(({ SK }) => itemsOf(partitions.deliveries(String(SK)).PK)));
  const hours = await itemsOf(partitions.hourCounts(account).PK);
  return {
    delivered: channels.reduce((sum, channel) => sum + sumOf(hours, countName(channel, 'delivered')), 0),
    deliveries: deliveries.flat().filter(({ state }) => state === 'succeeded').length,
  };
};

const startRecordedStack = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  const dataDirectory = join(directory, 'stack');
  const spent: Spent[] = [];
  const dynamodb = await startDynamodb({ dataDirectory: join(directory, 'table'), tables: [] });
  const tables: TableSpec[] = [];
  const recorder = await startDynamodbLimits({
    url: dynamodb.url,
    tables,
    factor: 1e-9,
    pause: async () => undefined,
    onSpent: (one) => spent.push(one),
  });
  const { file, stop } = await startStackProcess(dataDirectory, { environment: { DYNAMODB_ENDPOINT: recorder.url } });
  const TableName = String(file.aws['table']);
  tables.push({ ...tableSpec, name: TableName });
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(dynamodb.url)));
  const standing = () => standingIn(client, TableName, file.accountId);
  let sent = 0;
  /** Until each message is delivered and counted as that, and each of its events was delivered and counted too. */
  const settle = async (): Promise<void> => {
    const wanted = { delivered: sent, deliveries: sent * eventsEach * webhooks };
    const untilMs = Date.now() + longestMs;
    while (!isDeepStrictEqual(await standing(), wanted)) {
      if (Date.now() > untilMs) throw new Error(`not settled: ${JSON.stringify([await standing(), wanted])}`);
      await sleep(200);
    }
    await sleep(tidyMs);
  };
  return {
    file,
    /** The write units of this work and all that follows from it, by part: a function and a kind of item, in the table or an index. */
    unitsOf: async (work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> => {
      spent.length = 0;
      await work();
      sent += messages;
      await settle();
      const units = new Map<string, number>();
      for (const { kind, accessKey, loads } of spent) {
        if (kind !== 'Write') continue;
        for (const load of loads) {
          const part = `${accessKey}: ${placeOf(load)}`;
          units.set(part, (units.get(part) ?? 0) + load.units);
        }
      }
      return units;
    },
    close: async (): Promise<void> => {
      await stop();
      client.destroy();
      await recorder.close();
      await dynamodb.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

const callsOf = ({ apiBaseUrl, keys }: StackFile) => {
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${apiBaseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': keys.messaging },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  /** So many at a time. */
  const many = async (atOnce: number, bodyOf: (n: number) => object): Promise<void> => {
    const bodies = Array.from({ length: messages }, (_, n) => bodyOf(n));
    for (let n = 0; n < messages; n += atOnce)
      await Promise.all(bodies.slice(n, n + atOnce).map((body) => post('/messages', body)));
  };
  const mailTo = (to: string) => ({ channel: 'email', to, subject: 'Hello', text: 'It works.' });
  return {
    toKnown: (atOnce = usual) => many(atOnce, (n) => mailTo(`known${n}@example.com`)),
    toNew: () => many(usual, (n) => mailTo(`new${n}@example.com`)),
    texts: () => many(usual, () => ({ channel: 'sms', to: '+8801700000000', text: 'It works.' })),
    subscribe: (url: string) =>
      post('/webhooks', { name: 'bench', url, events: ['message.sent', 'message.delivered'] }),
  };
};

type Parts = ReadonlyMap<string, number>;

/** The parts as rows, the kinds of messages as columns. */
const tableOf = (columns: Readonly<Record<string, Parts>>): Record<string, Readonly<Record<string, number>>> => {
  const each = (units: number) => Math.round((units / messages) * 10) / 10;
  const sumOf = (parts: Parts, of: (part: string) => boolean) =>
    [...parts].reduce((sum, [part, units]) => sum + (of(part) ? units : 0), 0);
  const rowOf = (of: (part: string) => boolean) =>
    Object.fromEntries(Object.entries(columns).map(([name, parts]) => [name, each(sumOf(parts, of))]));
  const names = [...new Set(Object.values(columns).flatMap((parts) => [...parts.keys()]))].sort();
  return {
    'in all': rowOf(() => true),
    'but deliveries': rowOf((part) => !part.startsWith('webhooks-attempt-delivery')),
    ...Object.fromEntries(names.map((name) => [name, rowOf((part) => part === name)])),
  };
};

/** Write units of a message of an account with two webhooks on one host: by its kind, in all and by part. */
export const benchEndToEnd = async () => {
  const [stack, receiver] = await Promise.all([startRecordedStack(), startReceiver()]);
  const calls = callsOf(stack.file);
  try {
    await Promise.all(
      Array.from({ length: webhooks }, (_, n) => calls.subscribe(`http://localhost:${receiver.port}/${n}`)),
    );
    // Starts the functions, and creates the contacts.
    await stack.unitsOf(() => calls.toKnown());
    await stack.unitsOf(() => calls.texts());
    return tableOf({
      email: await stack.unitsOf(() => calls.toKnown()),
      'emails one by one': await stack.unitsOf(() => calls.toKnown(1)),
      'email, new recipient': await stack.unitsOf(() => calls.toNew()),
      sms: await stack.unitsOf(() => calls.texts()),
    });
  } finally {
    await stack.close();
    await receiver.close();
  }
};
