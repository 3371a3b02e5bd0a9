import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { TableSpec } from '../../infra/local/blueprint.ts';
import { startDynamodb } from '../../infra/local/emulators/dynamodb.ts';
import type { Spent } from '../../infra/local/emulators/dynamodb-contention.ts';
import { startDynamodbLimits } from '../../infra/local/emulators/dynamodb-limits.ts';
import type { Load } from '../../infra/local/emulators/dynamodb-units.ts';
import { startReceiver } from '../../shared/providers/webhook/receiver-fixture.ts';
import { outputOfReady, readStackFile, type StackFile, spawnStack } from '../stack-process.ts';
import { tableSpec } from '../world.ts';

// What messages cost on a whole stack, from the request to the last webhook and count: the calls of every function are recorded on their way
// to the table.

const messages = 20;
/** So long after the last call, nothing follows any more. */
const quietMs = 2_000;
/** The function that this benchmark itself calls to see how messages stand. */
const watcher = 'messages-list-messages';

const created = z.object({ data: z.object({ webhook: z.object({ id: z.string() }) }) });

/** A partition key without its ids, fingerprints and numbers of shards. */
const placeOf = ({ index, partition }: Load): string => {
  const place = partition
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replaceAll(/[\w-]{40,}/g, '…')
    .replaceAll(/#\d+(?=#|$)/g, '');
  return index === undefined ? place : `${index} ${place}`;
};

const startRecordedStack = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  const dataDirectory = join(directory, 'stack');
  const spent: Spent[] = [];
  let lastMs = Date.now();
  const dynamodb = await startDynamodb({ dataDirectory: join(directory, 'table'), tables: [] });
  const tables: TableSpec[] = [];
  const recorder = await startDynamodbLimits({
    url: dynamodb.url,
    tables,
    factor: 1e-9,
    pause: async () => undefined,
    onSpent: (one) => {
      if (one.accessKey !== watcher) lastMs = Date.now();
      spent.push(one);
    },
  });
  const stack = spawnStack(dataDirectory, { environment: { DYNAMODB_ENDPOINT: recorder.url } });
  await outputOfReady(stack);
  const file = readStackFile(dataDirectory);
  tables.push({ ...tableSpec, name: String(file.aws['table']) });

  const settle = async (): Promise<void> => {
    while (Date.now() - lastMs < quietMs) await sleep(200);
  };
  return {
    file,
    /** The write units of this work and all that follows from it, by part: a function and a kind of item, in the table or an index. */
    unitsOf: async (work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> => {
      await settle();
      spent.length = 0;
      await work();
      await settle();
      const units = new Map<string, number>();
      for (const { kind, accessKey, loads } of spent) {
        if (kind !== 'Write' || accessKey === watcher) continue;
        for (const load of loads) {
          const part = `${accessKey}: ${placeOf(load)}`;
          units.set(part, (units.get(part) ?? 0) + load.units);
        }
      }
      return units;
    },
    close: async (): Promise<void> => {
      const exited = once(stack, 'exit');
      stack.kill('SIGTERM');
      await exited;
      await recorder.close();
      await dynamodb.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

const callsOf = ({ apiBaseUrl, keys }: StackFile) => {
  const call = async (method: string, path: string, body?: object): Promise<string> => {
    const answer = await fetch(`${apiBaseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': keys.messaging },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  };
  const post = (path: string, body: object) => call('POST', path, body);
  /** Two at a time. */
  const many = async (bodyOf: (n: number) => object): Promise<void> => {
    for (let n = 0; n < messages; n += 2) await Promise.all([n, n + 1].map((each) => post('/messages', bodyOf(each))));
  };
  const mailTo = (to: string) => ({ channel: 'email', to, subject: 'Hello', text: 'It works.' });
  return {
    toKnown: () => many((n) => mailTo(`known${n}@example.com`)),
    toNew: (run: string) => many((n) => mailTo(`${run}${n}@example.com`)),
    texts: () => many(() => ({ channel: 'sms', to: '+8801700000000', text: 'It works.' })),
    /** Gives the subscription's id. */
    subscribe: async (url: string): Promise<string> => {
      const events = ['message.sent', 'message.delivered'];
      return created.parse(JSON.parse(await post('/webhooks', { name: 'bench', url, events }))).data.webhook.id;
    },
    unsubscribe: (id: string) => call('DELETE', `/webhooks/${id}`),
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
    ...Object.fromEntries(names.map((name) => [name, rowOf((part) => part === name)])),
  };
};

/** Write units of a message by its kind, in all and by part. */
export const benchEndToEnd = async () => {
  const [stack, receiver] = await Promise.all([startRecordedStack(), startReceiver()]);
  const calls = callsOf(stack.file);
  try {
    const subscriptions = await Promise.all(
      [1, 2].map((n) => calls.subscribe(`http://localhost:${receiver.port}/${n}`)),
    );
    // Starts the functions, and creates the contacts.
    await stack.unitsOf(() => Promise.all([calls.toKnown(), calls.texts()]));
    const listened = {
      'email, two webhooks': await stack.unitsOf(calls.toKnown),
      'sms, two webhooks': await stack.unitsOf(calls.texts),
    };
    await stack.unitsOf(() => Promise.all(subscriptions.map(calls.unsubscribe)));
    return tableOf({
      ...listened,
      email: await stack.unitsOf(calls.toKnown),
      'email, new': await stack.unitsOf(() => calls.toNew('new')),
      sms: await stack.unitsOf(calls.texts),
    });
  } finally {
    await stack.close();
    await receiver.close();
  }
};
