import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TableSpec } from '../../infra/local/blueprint.ts';
import { startDynamodb } from '../../infra/local/emulators/dynamodb.ts';
import type { Spent } from '../../infra/local/emulators/dynamodb-contention.ts';
import { startDynamodbLimits } from '../../infra/local/emulators/dynamodb-limits.ts';
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
    /** The write units of this work and all that follows from it, by function. */
    unitsOf: async (work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> => {
      await settle();
      spent.length = 0;
      await work();
      await settle();
      const byFunction = Map.groupBy(
        spent.filter(({ kind, accessKey }) => kind === 'Write' && accessKey !== watcher),
        ({ accessKey }) => accessKey,
      );
      const sumOf = (some: readonly Spent[]) =>
        some.flatMap(({ loads }) => loads).reduce((sum, { units }) => sum + units, 0);
      return new Map([...byFunction].map(([name, some]) => [name, sumOf(some)]));
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
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${apiBaseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': keys.messaging },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  /** Two at a time. */
  const many = async (bodyOf: (n: number) => object): Promise<void> => {
    for (let n = 0; n < messages; n += 2) await Promise.all([n, n + 1].map((each) => post('/messages', bodyOf(each))));
  };
  const mailTo = (to: string) => ({ channel: 'email', to, subject: 'Hello', text: 'It works.' });
  return {
    toKnown: () => many((n) => mailTo(`known${n}@example.com`)),
    toNew: (run: string) => many((n) => mailTo(`${run}${n}@example.com`)),
    texts: () => many(() => ({ channel: 'sms', to: '+8801700000000', text: 'It works.' })),
    subscribe: (url: string) =>
      post('/webhooks', { name: 'bench', url, events: ['message.sent', 'message.delivered'] }),
  };
};

/** Write units of a message by kind, in all and by function. */
export const benchEndToEnd = async (): Promise<Record<string, Readonly<Record<string, number>>>> => {
  const [stack, receiver] = await Promise.all([startRecordedStack(), startReceiver()]);
  const calls = callsOf(stack.file);
  const each = (units: number) => Math.round((units / messages) * 10) / 10;
  const measure = async (work: () => Promise<void>) => {
    const byFunction = [...(await stack.unitsOf(work))].sort(([, one], [, other]) => other - one);
    const all = byFunction.reduce((sum, [, units]) => sum + units, 0);
    return { all: each(all), ...Object.fromEntries(byFunction.map(([name, units]) => [name, each(units)])) };
  };
  try {
    // Starts the functions, and creates the contacts.
    await stack.unitsOf(calls.toKnown);
    const rows = {
      'email to a known contact': await measure(calls.toKnown),
      'email to a new recipient': await measure(() => calls.toNew('new')),
      sms: await measure(calls.texts),
    };
    for (const n of [1, 2]) await calls.subscribe(`http://localhost:${receiver.port}/${n}`);
    return {
      ...rows,
      'email to a known contact, two webhooks': await measure(calls.toKnown),
      'sms, two webhooks': await measure(calls.texts),
    };
  } finally {
    await stack.close();
    await receiver.close();
  }
};
