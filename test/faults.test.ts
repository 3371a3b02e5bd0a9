import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Dynamodb, startDynamodb } from '../infra/local/emulators/dynamodb.ts';
import { newMerchant } from './checkout-merchant.ts';
import { type FaultRates, startDynamodbFaults } from './dynamodb-faults.ts';
import { inFull } from './model-runs.ts';
import { soon } from './soon.ts';
import { newDataDirectory, request, startTestStack, type TestStack } from './test-stack.ts';
import { eventsIn, phone, textCalls, textTo } from './text-calls.ts';

// Clients repeat requests with idempotency keys while a stack's table loses answers, conflicts and throttles. Each must be accepted during
// the faults, take effect once, and be delivered soon after them. With `npm run test:long`: the usual suite has the simulation, each endpoint
// whose answers are lost (lost-answers.test.ts), and a stack that is killed over such a table (crash.test.ts).

const callers = 6;
const repeatAfterMs = 500;
/** The minimum duration of the faults. It covers the repetitions of all requests, and their workers. */
const troubleMs = 30_000;
const amounts = { mails: 60, texts: 30, sessions: 15 };

const numbers = (length: number) => Array.from({ length }, (_, n) => n);

let dynamodb: Dynamodb;
let faults: Awaited<ReturnType<typeof startDynamodbFaults>>;
let stack: TestStack;
beforeAll(async () => {
  const dataDirectory = newDataDirectory();
  dynamodb = await startDynamodb({ dataDirectory, tables: [] });
  faults = await startDynamodbFaults({ url: dynamodb.url, seed: 42 });
  // On a busy machine, an email's notification takes longer than other test stacks wait for it.
  const environment = { DYNAMODB_ENDPOINT: faults.url, SEND_GIVE_UP_SECONDS: '60' };
  stack = await startTestStack({ dataDirectory, environment });
  await warmUp();
});

/** Starts the functions before the faults begin. */
const warmUp = async (): Promise<void> => {
  const merchant = await newMerchant(stack);
  const body = { channel: 'email', to: 'first@example.com', subject: 'Hello', text: 'It works.' };
  const visits = numbers(callers).map(async () => {
    await stack.api('POST', '/messages', body);
    const { paymentId } = await merchant.paid(600_000);
    await merchant.refund(paymentId);
  });
  await Promise.allSettled(visits);
};
afterAll(async () => {
  await stack.stop();
  await faults.close();
  await dynamodb.close();
  stack.forget();
});

type Answer = Awaited<ReturnType<typeof request>>;

/** Repeats a request every half second until it is accepted, as a client does. Returns the created resource, and records all other answers. */
const clientWith = (others: Answer[]) => async (send: () => Promise<Answer>) => {
  for (;;) {
    const answer = await send();
    if (answer.status === 201) return answer.body.data;
    others.push(answer);
    await sleep(repeatAfterMs);
  }
};

/** Runs the tasks in order, with this concurrency. */
const inLines = async (tasks: readonly (() => Promise<void>)[]): Promise<void> => {
  const left = [...tasks];
  const line = async () => {
    for (let task = left.shift(); task; task = left.shift()) await task();
  };
  await Promise.all(Array.from({ length: callers }, line));
};

const troubles: readonly (readonly [string, string, FaultRates])[] = [
  ['loses 40 % of the answers to writes', 'lost', { lost: 0.4 }],
  ['conflicts in 30 % of the writes and throttles 10 % of the calls', 'conflict', { conflict: 0.3, throttled: 0.1 }],
];

it.runIf(inFull).each(troubles)(
  'what is repeated with its key over a table that %s is done once, and soon',
  {
    timeout: 240_000,
  },
  async (_, name, rates) => {
    const [calls, merchant] = [textCalls(stack), await newMerchant(stack)];
    const account = await calls.newAccount();
    await account.contact(phone);
    const [listener, merchantListener] = await Promise.all([account.listen(), merchant.listen()]);

    const others: Answer[] = [];
    const accepted = clientWith(others);
    const ids = { mails: [] as string[], texts: [] as string[] };
    const sessions = new Map<number, string>();
    const keyOf = (subject: string) => ({ 'idempotency-key': `${name} ${subject}` });

    const sendMessage = (body: object, key: string) =>
      stack.api('POST', '/messages', body, { 'x-api-key': account.key, ...keyOf(key) });
    const recipientOf = (n: number) => `${name}${n}@example.com`;
    const mail = (n: number) => ({ channel: 'email', to: recipientOf(n), subject: 'Hello', text: `No. ${n}` });
    const newSession = (n: number) => merchant.create({ amountMinor: 600_000, currency: 'BDT' }, keyOf(`session ${n}`));
    const refund = (paymentId: string) =>
      request(
        `${stack.file.adminBaseUrl}/payments/${paymentId}/refunds`,
        'POST',
        { authorization: `Bearer ${stack.file.adminToken}`, ...keyOf(`refund ${paymentId}`) },
        { amountMinor: 100_000 },
      );
    const buy = async (n: number): Promise<void> => {
      const { id } = await accepted(() => newSession(n));
      sessions.set(n, id);
      const { paymentId } = await accepted(() => merchant.pay(id));
      await accepted(() => refund(paymentId));
    };

    faults.set(rates);
    const trouble = sleep(troubleMs);
    await inLines([
      ...numbers(amounts.mails).map((n) => async () => {
        ids.mails.push((await accepted(() => sendMessage(mail(n), `mail ${n}`))).id);
      }),
      ...numbers(amounts.texts).map((n) => async () => {
        ids.texts.push((await accepted(() => sendMessage(textTo('sms', phone, `No. ${n}`), `text ${n}`))).id);
      }),
      ...numbers(amounts.sessions).map((n) => () => buy(n)),
    ]);
    await trouble;
    faults.set();
    expect(others.filter(({ status }) => status === 500).map(({ text }) => text)).toEqual([]);

    // One row for each message, and none is stuck.
    const all = [...ids.mails, ...ids.texts].sort();
    const rows = async () => account.read('/messages?limit=100');
    expect((await rows()).map(({ id }: { id: string }) => id).sort()).toEqual(all);
    const open = async () => (await rows()).filter(({ status }: { status: string }) => /queued|sending/.test(status));
    await expect.poll(open, soon).toEqual([]);

    // One mail, one text and one credit for each message.
    const { body } = await request(`${stack.file.inboxUrl}/store`, 'GET', {});
    const mailed = body.emails.map(({ destination }: { destination: { to: string[] } }) => destination.to[0]);
    const ours = mailed.filter((to: string) => to.startsWith(name));
    expect(ours.sort()).toEqual(numbers(amounts.mails).map(recipientOf).sort());
    const texted = (await calls.allCaught()).map(({ messageId }) => messageId);
    expect(texted.filter((id) => ids.texts.includes(id)).sort()).toEqual(ids.texts.sort());
    expect(await account.creditsLeft()).toMatchObject({
      email: 1_000 - amounts.mails,
      smsMasked: 1_000 - amounts.texts,
    });

    // One payment and one refund for each session.
    const payments = (await merchant.report()).data;
    expect(payments.map((payment: Record<string, unknown>) => payment['checkoutSessionId']).sort()).toEqual(
      [...sessions.values()].sort(),
    );
    for (const { id } of payments) {
      const refunds = async () =>
        (await merchant.refunds(id)).map(({ status, amountMinor }) => `${status} ${amountMinor}`);
      await expect.poll(refunds, soon).toEqual(['SUCCEEDED 100000']);
    }

    // One event of each kind, under one id, delivered.
    const messageEvents = () =>
      [...new Set(eventsIn(listener.received).map(({ event, message }) => `${event} ${message.id}`))]
        .filter((event) => event.startsWith('message.sent'))
        .sort();
    await expect.poll(messageEvents, soon).toEqual(all.map((id) => `message.sent ${id}`));
    const eventIds = new Map(listener.received.map((one) => [JSON.parse(one.body).id, eventsIn([one])[0]] as const));
    const sentEvents = [...eventIds.values()].filter((event) => event?.event === 'message.sent');
    expect(sentEvents).toHaveLength(all.length);
    const money = () => [
      ...new Set(merchantListener.receivedEvents().map(({ event, data }) => `${event} ${data.paymentId}`)),
    ];
    await expect
      .poll(() => money().sort(), soon)
      .toEqual(
        payments.flatMap(({ id }: { id: string }) => [`payment.succeeded ${id}`, `refund.succeeded ${id}`]).sort(),
      );

    // A later repetition of a key still returns its resource.
    for (const [n, id] of sessions) expect((await newSession(n)).body.data.id).toBe(id);
    expect(ids.mails).toContain((await sendMessage(mail(0), 'mail 0')).body.data.id);

    await Promise.all([listener.close(), merchantListener.receiver.close()]);
  },
);
