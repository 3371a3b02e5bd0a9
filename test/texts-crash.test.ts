import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Message } from '../shared/messages/message.ts';
import { type Receiver, startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { inFull, killMoments } from './model-runs.ts';
import { recountMessages } from './recount-messages.ts';
import { soon } from './soon.ts';
import { newDataDirectory, startTestStack, type TestStack } from './test-stack.ts';
import { eventsIn, outcomes, phone, type TextAccount, textCalls, textTo } from './text-calls.ts';

// Kills the stack during bursts of texts. No accepted text may be lost, sent twice, or counted or charged wrongly.

/** The number of accepted texts at each kill: while requests run, while workers call providers, while reports arrive. */
const killsAfter = inFull ? [3, 12, 30] : [3, 8, 15];
const endings = Object.keys(outcomes);
const perBurst = inFull ? 30 : 15;
/** The month may end during the test. */
const begun = new Date().toISOString();
/** Longer than the claim of a crashed worker. */
const end = { ...soon, interval: 1_000 };

/** Failure codes whose credits are returned. */
const givenBack = ['unknown_subscriber'];

/** A slow gateway outside the stack. It sends no reports, and sends a message as often as it is submitted. */
let gateway: Receiver;
let listener: Awaited<ReturnType<TextAccount['listen']>>;
beforeAll(async () => {
  gateway = await startReceiver((response) => setTimeout(() => response.end(), 150));
});
afterAll(async () => {
  await Promise.all([gateway.close(), listener?.close()]);
});

const idOf = async (sent: ReturnType<TextAccount['send']>): Promise<string> => {
  const { status, body } = await sent;
  expect(status).toBe(201);
  return body.data.id;
};
const messagesOf = async (account: TextAccount): Promise<Message[]> => account.read('/messages?limit=100');
/** What a simulated text is not left with. A delivered WhatsApp message is still to be read. */
const isOpen = { email: /queued|sending|sent/, sms: /queued|sending|sent/, whatsapp: /queued|sending|sent|delivered/ };
const endingOf = ({ to }: Message): string => (to ?? '').slice(-4);
const isGivenBack = ({ failureCode }: Message): boolean => givenBack.includes(failureCode ?? '');

it('the stack loses, repeats and miscounts no text, however often it is killed', { timeout: 300_000 }, async () => {
  const dataDirectory = newDataDirectory();
  let stack = await startTestStack({ dataDirectory });
  const simulated = await textCalls(stack).newAccount();
  const provider = {
    kind: 'http',
    url: `http://localhost:${gateway.port}/send`,
    headers: { 'Content-Type': 'text/plain' },
    body: '{{messageId}}',
  };
  const carried = await textCalls(stack).newAccount({ settings: { sms: { provider } } });
  const phones = endings.map((ending) => `+88017000${ending.padStart(6, '0')}`);
  await Promise.all([...phones.map((each) => simulated.contact(each)), carried.contact(phone)]);
  await Promise.all(phones.map((each) => simulated.writes(each)));
  listener = await simulated.listen();

  const burst = (on: TestStack): Promise<string>[] => {
    const { accountWith } = textCalls(on);
    const [first, second] = [accountWith(simulated), accountWith(carried)];
    return Array.from({ length: perBurst }, (_, n) => {
      const to = phones[n % phones.length] ?? '';
      if (n % 3 === 2) return idOf(second.send(textTo('sms', phone, `No. ${n}`)));
      return idOf(first.send(textTo(n % 3 === 1 ? 'whatsapp' : 'sms', to, `No. ${n}`)));
    });
  };

  const accepted: string[] = [];
  for (const killAfter of killMoments(killsAfter)) {
    const before = accepted.length;
    const sends = Promise.allSettled(burst(stack).map((sent) => sent.then((id) => accepted.push(id))));
    await expect.poll(() => accepted.length - before, { ...soon, interval: 1 }).toBeGreaterThanOrEqual(killAfter);
    await stack.kill();
    await sends;
    stack = await startTestStack({ dataDirectory });
  }

  const calls = textCalls(stack);
  const accounts = [simulated, carried].map(calls.accountWith);
  const underWay = async () => {
    const [first = [], second = []] = await Promise.all(accounts.map(messagesOf));
    const open = [
      ...first.filter(({ channel, status, failureCode }) => !failureCode && isOpen[channel].test(status)),
      ...second.filter(({ status }) => /queued|sending/.test(status)),
    ];
    return open.map(({ channel, to, status }) => `${channel} ${to} ${status}`);
  };
  await expect.poll(underWay, end).toEqual([]);

  const [ofSimulated = [], ofCarried = []] = await Promise.all(accounts.map(messagesOf));
  expect([...ofSimulated, ...ofCarried].map(({ id }) => id)).toEqual(expect.arrayContaining(accepted));

  // Each text has the outcome of its number, unless a worker crashed in a call to Meta that never arrived, or in one that was then refused when
  // it was repeated. Its provider got it at most once.
  const caught = (await calls.allCaught()).map(({ messageId }) => messageId);
  expect(new Set(caught).size).toBe(caught.length);
  for (const message of ofSimulated) {
    const { id, channel, status, failureCode } = message;
    if (failureCode === 'send_unconfirmed' && (channel === 'whatsapp' || endingOf(message) === '0001')) continue;
    expect([channel, message.to, status]).toEqual([channel, message.to, outcomes[endingOf(message)]?.[channel]]);
    expect([id, caught.includes(id)]).toEqual([id, endingOf(message) !== '0001']);
  }
  const carriedIds = gateway.received.map(({ body }) => body);
  expect(new Set(carriedIds).size).toBe(carriedIds.length);
  for (const { id, status, failureCode } of ofCarried) {
    expect(status).toBe('sent');
    if (failureCode === null) expect(carriedIds).toContain(id);
    else expect(failureCode).toBe('send_unconfirmed');
  }

  // Credits and counts match the messages.
  for (const account of accounts) {
    const messages = await messagesOf(account);
    const paid = messages.filter((message) => message.channel === 'sms' && !isGivenBack(message)).length;
    expect((await account.creditsLeft()).smsMasked).toBe(1_000 - paid);
    const counts = async () => (await account.read(`/analytics/messages?startDate=${begun}`)).channels;
    await expect.poll(counts, soon).toEqual(recountMessages(messages));
  }

  // Every status has its event, each under one id.
  const due = ofSimulated.flatMap(({ id, sentAt, deliveredAt, failedAt }) => [
    ...(sentAt ? [`message.sent ${id}`] : []),
    ...(deliveredAt ? [`message.delivered ${id}`] : []),
    ...(failedAt ? [`message.failed ${id}`] : []),
  ]);
  const publishedEvents = () => eventsIn(listener.received).map(({ event, message }) => `${event} ${message.id}`);
  await expect.poll(() => [...new Set(publishedEvents())].sort(), end).toEqual(due.sort());
  const ids = new Map(listener.received.map(({ body }) => [JSON.parse(body).id, body]));
  expect(ids.size).toBe(due.length);

  await stack.stop();
  stack.forget();
});
