import { expect } from 'vitest';
import type { Message } from '../../shared/messages/message.ts';
import { type Received, startReceiver } from '../../shared/providers/webhook/receiver-fixture.ts';
import { inFull } from '../model-runs.ts';
import { recountMessages } from '../recount-messages.ts';
import { soon, soonCounted } from '../soon.ts';
import type { TestStack } from '../test-stack.ts';
import { eventsIn, outcomes, phone, type TextAccount, textCalls, textTo } from '../text-calls.ts';
import type { Lane } from './lane.ts';

/** Each ending on a channel at least. */
const perBurst = inFull ? 24 : 10;
const endings = Object.keys(outcomes);
const phones = endings.map((ending) => `+88017000${ending.padStart(6, '0')}`);
/** The month may end during the test. */
const begun = new Date().toISOString();

/** Failure codes whose credits are returned. */
const givenBack = ['unknown_subscriber'];
const isGivenBack = ({ failureCode }: Message): boolean => givenBack.includes(failureCode ?? '');

/** What a simulated message is not left with. A delivered WhatsApp message is still to be read. */
const isOpen = { email: /queued|sending|sent/, sms: /queued|sending|sent/, whatsapp: /queued|sending|sent|delivered/ };
const endingOf = ({ to }: Message): string => (to ?? '').slice(-4);

const messagesOf = async (account: TextAccount): Promise<Message[]> => account.read('/messages?limit=100');

/**
 * Each text has the outcome of its number, unless a worker crashed in a call to Meta that never arrived, or in one that was then refused when it
 * was repeated. Its provider got it at most once. An email whose send was cut off before SES answered is delivered or given up.
 */
const endedAsTheirNumbersSay = (messages: readonly Message[], caught: readonly string[]): void => {
  expect(new Set(caught).size).toBe(caught.length);
  for (const message of messages) {
    const { id, channel, status, failureCode, to } = message;
    if (channel === 'email') {
      expect(status).toMatch(/delivered|failed/);
      continue;
    }
    if (failureCode === 'send_unconfirmed' && (channel === 'whatsapp' || endingOf(message) === '0001')) continue;
    expect([channel, to, status]).toEqual([channel, to, outcomes[endingOf(message)]?.[channel]]);
    expect([id, caught.includes(id)]).toEqual([id, endingOf(message) !== '0001']);
  }
};

const wereCarriedOnce = (messages: readonly Message[], carried: readonly string[]): void => {
  expect(new Set(carried).size).toBe(carried.length);
  for (const { id, status, failureCode } of messages) {
    expect(status).toBe('sent');
    if (failureCode === null) expect(carried).toContain(id);
    else expect(failureCode).toBe('send_unconfirmed');
  }
};

/** Credits and counts match the messages. */
const expectCounts = async (account: TextAccount): Promise<void> => {
  const messages = await messagesOf(account);
  const emails = messages.filter(({ channel, status }) => channel === 'email' && status === 'delivered');
  const texts = messages.filter((message) => message.channel === 'sms' && !isGivenBack(message));
  const left = { email: 1_000 - emails.length, smsMasked: 1_000 - texts.length };
  expect(await account.creditsLeft()).toMatchObject(left);
  const counts = async () => (await account.read(`/analytics/messages?startDate=${begun}`)).channels;
  await expect.poll(counts, soonCounted).toEqual(recountMessages(messages));
};

/** Every status has its event, each under one id, which its subscription counts and logs once. */
const expectEvents = async (account: TextAccount, messages: readonly Message[], received: readonly Received[]) => {
  const due = messages.flatMap(({ id, sentAt, deliveredAt, failedAt }) => [
    ...(sentAt ? [`message.sent ${id}`] : []),
    ...(deliveredAt ? [`message.delivered ${id}`] : []),
    ...(failedAt ? [`message.failed ${id}`] : []),
  ]);
  const published = () => eventsIn(received).map(({ event, message }) => `${event} ${message.id}`);
  await expect.poll(() => [...new Set(published())].sort(), soon).toEqual(due.sort());
  expect(new Set(received.map(({ body }) => JSON.parse(body).id)).size).toBe(due.length);
  const subscription = async () => (await account.read('/webhooks'))[0];
  await expect.poll(async () => (await subscription()).totalSent, soon).toBe(due.length);
  const logs = await account.api('GET', `/webhooks/${(await subscription()).id}/logs?limit=1`);
  expect(logs.body.total).toBe(due.length);
};

/** Messages of an account on all channels, and texts of another by a gateway outside the stack. */
export const openMessages = async (stack: TestStack): Promise<Lane> => {
  // It is slow, sends no reports, and sends a message as often as it is submitted.
  const gateway = await startReceiver((response) => setTimeout(() => response.end(), 150));
  const provider = {
    kind: 'http',
    url: `http://localhost:${gateway.port}/send`,
    headers: { 'Content-Type': 'text/plain' },
    body: '{{messageId}}',
  };
  const { newAccount } = textCalls(stack);
  const simulated = await newAccount();
  const carried = await newAccount({ settings: { sms: { provider } } });
  // One after the other: at once, each would start functions of its own.
  await carried.contact(phone);
  for (const each of phones) {
    await simulated.contact(each);
    await simulated.writes(each);
  }
  const listener = await simulated.listen();

  const accountsOn = (on: TestStack) => {
    const { accountWith } = textCalls(on);
    return [accountWith(simulated), accountWith(carried)] as const;
  };
  const accepted: string[] = [];
  const failures: string[] = [];

  return {
    burst: (on) => {
      const [first, second] = accountsOn(on);
      const begin = (n: number) => {
        const nthText = 2 * Math.floor(n / 4) + (n % 4);
        const [to = '', text] = [phones[nthText % phones.length], `No. ${n}`];
        if (n % 4 === 0) return first.send(textTo('sms', to, text));
        if (n % 4 === 1) return first.send(textTo('whatsapp', to, text));
        if (n % 4 === 2) return second.send(textTo('sms', phone, text));
        return first.send({ channel: 'email', to: `reader${n % 3}@example.com`, subject: 'Hello', text });
      };
      const hear = ({ status, body, text }: Awaited<ReturnType<typeof begin>>): boolean => {
        if (status === 500) failures.push(text);
        if (status === 201) accepted.push(body.data.id);
        return status === 201;
      };
      return Array.from({ length: perBurst }, (_, n) => begin(n).then(hear, () => false));
    },

    heard: () => listener.received.length,

    underWay: async (on) => {
      const [first = [], second = []] = await Promise.all(accountsOn(on).map(messagesOf));
      const open = [
        ...first.filter(({ channel, status, failureCode }) => !failureCode && isOpen[channel].test(status)),
        ...second.filter(({ status }) => /queued|sending/.test(status)),
      ];
      return open.map(({ channel, to, status }) => `${channel} ${to} ${status}`);
    },

    check: async (on) => {
      // What a table with faults cannot do now is 503.
      expect(failures).toEqual([]);
      const accounts = accountsOn(on);
      const [ofSimulated = [], ofCarried = []] = await Promise.all(accounts.map(messagesOf));
      expect([...ofSimulated, ...ofCarried].map(({ id }) => id)).toEqual(expect.arrayContaining(accepted));
      const caught = (await textCalls(on).allCaught()).map(({ messageId }) => messageId);
      endedAsTheirNumbersSay(ofSimulated, caught);
      wereCarriedOnce(
        ofCarried,
        gateway.received.map(({ body }) => body),
      );
      for (const account of accounts) await expectCounts(account);
      await expectEvents(accounts[0], ofSimulated, listener.received);
    },

    close: () => Promise.all([gateway.close(), listener.close()]),
  };
};
