import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { textChannels } from '../shared/messages/message.ts';
import type { Receiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { soon, soonCounted } from './soon.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';
import { eventsIn, outcomes, signedBy, type TextCalls, textCalls, textTo } from './text-calls.ts';

// Accepted texts from the queue over the provider to its reports, with no part replaced.

let stack: SharedStack;
let calls: TextCalls;
beforeAll(async () => {
  stack = await shareTestStack();
  calls = textCalls(stack);
});

const receivers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((one) => one.close()));
});

const begun = new Date().toISOString();
const someText = expect.stringMatching(/\S/);
const refused = { sentAt: null, deliveredAt: null, failedAt: someText, failureCode: someText, failureReason: someText };
const lost = { ...refused, sentAt: someText };
const arrived = { sentAt: someText, deliveredAt: someText, failedAt: null, failureCode: null, failureReason: null };

/** By the last digits of a number: the reported statuses, how often the text was caught, and the events. */
const traces = [
  { ending: '0001', outcome: refused, caught: 0, events: ['failed'] },
  { ending: '0002', outcome: lost, caught: 1, events: ['failed', 'sent'] },
  { ending: '0003', outcome: arrived, caught: 1, events: ['delivered', 'sent'] },
  { ending: '0004', outcome: lost, caught: 1, events: ['failed', 'sent'] },
  { ending: '1234', outcome: arrived, caught: 1, events: ['delivered', 'sent'] },
];

describe('the recipient’s number chooses the outcome of a text', () => {
  it.each([
    ['sms', '+8801711', { delivered: 2, failed: 3 }, 4],
    ['whatsapp', '+8801722', { delivered: 0, failed: 3 }, 0],
  ] as const)(
    '%s: at the API, the phone, a webhook, in analytics and credits',
    async (channel, prefix, counts, spent) => {
      const account = await calls.newAccount();
      const listener = await account.listen();
      receivers.push(listener);
      const sent = await Promise.all(
        traces.map(async (trace) => {
          const to = `${prefix}00${trace.ending}`;
          await (channel === 'sms' ? account.contact(to) : account.writes(to));
          const id = await account.accepted({ ...textTo(channel, to), metadata: { to } });
          return { ...trace, to, id };
        }),
      );
      for (const { ending, to, id, outcome, caught, events } of sent) {
        const message = await account.become(id, outcomes[ending]?.[channel]);
        expect(message).toEqual({ ...message, ...outcome, to, metadata: { to }, tags: [] });
        const texts = Array(caught).fill({ channel, text: 'It works.', messageId: id });
        expect(await calls.caughtBy(to)).toMatchObject(texts);
        const heard = () => eventsIn(listener.received).flatMap((one) => (one.message.id === id ? [one.event] : []));
        await expect.poll(() => heard().sort(), soon).toEqual(events.map((name) => `message.${name}`));
      }
      // The month may end during the test.
      const analytics = async () => (await account.read(`/analytics/messages?startDate=${begun}`)).channels[channel];
      const others = { sent: 0, opened: 0, clicked: 0, bounced: 0 };
      await expect.poll(analytics, soonCounted).toEqual({ total: 5, ...others, ...counts });
      expect((await account.creditsLeft()).smsMasked).toBe(1_000 - spent);
    },
  );

  it('publishes an event with the message as GET returns it', async () => {
    const account = await calls.newAccount();
    const listener = await account.listen();
    receivers.push(listener);
    await account.contact('+8801733330000');
    const id = await account.accepted(textTo('sms', '+8801733330000'));
    const message = await account.become(id, 'delivered');
    await expect.poll(listener.totalSent, soon).toBe(2);
    const messages = Object.fromEntries(eventsIn(listener.received).map((one) => [one.event, one.message]));
    expect(messages).toEqual({
      'message.sent': { ...message, status: 'sent', deliveredAt: null },
      'message.delivered': message,
    });
  });

  it.each(textChannels)('and news of %s come within two seconds', async (channel) => {
    const account = await calls.newAccount();
    const to = '+8801744440000';
    await account.contact(to);
    await account.writes(to);
    const tookMs = async () => {
      const id = await account.accepted(textTo(channel, to));
      const { sentAt, deliveredAt } = await account.become(id, channel === 'sms' ? 'delivered' : 'read');
      return Date.parse(deliveredAt) - Date.parse(sentAt);
    };
    // A busy machine may take longer for some.
    await expect.poll(tookMs, soon).toBeLessThan(2_000);
  });
});

it('notifications from Meta end in `read` in any order, and change nothing when they are repeated', async () => {
  const account = await calls.newAccount();
  const to = '+8801755550003';
  await account.writes(to);
  const id = await account.accepted(textTo('whatsapp', to));
  // The simulated provider is overloaded for three seconds, so that only the test sends notifications.
  await account.become(id, 'sending');
  const notify = (status: string) => {
    const news = { id: 'wamid.1', status, timestamp: '1780000000', biz_opaque_callback_data: `${account.id}:${id}` };
    const value = { metadata: { phone_number_id: '100000000000001' }, statuses: [news] };
    const entry = [{ id: '100000000000002', changes: [{ field: 'messages', value }] }];
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
    return calls.callback(`/callbacks/whatsapp/${account.id}`, signedBy('simulator-app-secret', body), body);
  };
  const listener = await account.listen();
  receivers.push(listener);
  for (const status of ['read', 'delivered', 'sent']) {
    expect(await notify(status)).toEqual({ status: 200, text: 'heard' });
    expect((await account.read(`/messages/${id}`)).status).toBe('read');
  }
  await expect.poll(listener.totalSent, soon).toBe(2);
  const message = await account.read(`/messages/${id}`);
  expect(message).toMatchObject(arrived);
  for (const status of ['sent', 'failed', 'read', 'delivered']) expect((await notify(status)).status).toBe(200);
  expect(await account.read(`/messages/${id}`)).toEqual(message);
  const heard = eventsIn(listener.received).map(({ event }) => event);
  expect(heard.sort()).toEqual(['message.delivered', 'message.sent']);
});
