import { sendMessageContract } from '../../functions/messages/send-message/contract.ts';
import { sendMessage } from '../../functions/messages/send-message/handler.ts';
import { newBench } from '../../functions/messages/send-text/send-text-fixture.ts';
import { attemptDelivery } from '../../functions/webhooks/attempt-delivery/handler.ts';
import type { StatusChange } from '../../shared/analytics/status-change.ts';
import { type ContactDetails, detailsOf } from '../../shared/contacts/contact.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { newId } from '../../shared/kit/id.ts';
import { JsonText } from '../../shared/kit/json-text.ts';
import { iso } from '../../shared/kit/time.ts';
import { noPrice } from '../../shared/messages/new-message.ts';
import { creditKeys } from '../../shared/table/accounts/credit-items.ts';
import { itemKeys } from '../../shared/table/keys.ts';
import type { DeliveryJob } from '../../shared/webhooks/jobs.ts';
import { acceptedText, handedOverText } from '../accepted-message.ts';
import { call } from '../call.ts';
import { begunPayment, fullSize, openSession } from '../checkout-fixture.ts';
import { startLateList, startList, webhookCalls } from '../webhook-calls.ts';
import type { TestAccount, World } from '../world.ts';

/** Over how many items and partitions a busy account is spread. */
export interface Spread {
  readonly credits: number;
  readonly messages: number;
}

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const batch = 100;

/** A busy account, and the operations that it repeats. Each run has recipients, sessions and keys of its own. */
export const openAccount = async (world: World, spread: Spread) => {
  const account = await world.newAccount({ credits: { email: 10_000, smsMasked: 10_000 } });
  const { ref } = account;
  await world.table.update({
    Key: itemKeys.account(ref.id),
    UpdateExpression: 'SET creditShards = :credits, messageSpread = :messages',
    ExpressionAttributeValues: {
      ':credits': spread.credits,
      ':messages': [{ fromMs: 0, shards: spread.messages }],
    },
  });
  const funds = { email: 1_000, smsMasked: 1_000, smsNonMasked: 1_000 };
  for (const key of creditKeys(ref.id, spread.credits).slice(1))
    await world.table.put({ Item: { ...key, entity: 'credits', ...funds } });
  return operationsOf(world, account);
};

export interface Operation {
  readonly name: string;
  /** How many are in one run. */
  readonly count?: number;
  readonly prepare: (run: number) => Promise<() => Promise<unknown>>;
}

const operationsOf = (world: World, account: TestAccount): readonly Operation[] => {
  const { ref, key } = account;
  const send = endpoint(
    sendMessageContract,
    sendMessage({ ...world, platformAddress: 'p@platform.example', clock: Date.now }),
    world.callers('messages:send'),
  );
  const mailTo = (to: string) =>
    call(send, { key, body: { channel: 'email', to, subject: 'Hello', text: 'It works.' } });
  const bench = newBench(world);
  const sentMail = async (to: string) => String((await mailTo(to)).body.data.id);
  const changes = (run: number): StatusChange[] =>
    Array.from({ length: batch }, (_, n) => ({
      account: ref.id,
      id: newId(startMs + n),
      channel: 'email' as const,
      before: undefined,
      after: { status: 'sending' as const, price: noPrice },
      partition: itemKeys.message(ref.id, 'email', 0, '').PK,
      sequence: String(run * batch + n).padStart(40, '0'),
      atMs: startMs,
    }));

  const full = detailsOf({ customFields: JsonText.of({ note: 'x'.repeat(9_900) }) });
  const createContact = async (details: ContactDetails): Promise<string> => {
    const id = newId(Date.now());
    await world.contacts.create(ref, { id, details }, Date.now());
    return id;
  };
  const textTo = async (to: string, details: ContactDetails) => {
    const contactId = await createContact({ ...details, phone: to });
    const consent = { channel: 'sms', status: 'active', source: 'bench', text: null, by: 'operator' } as const;
    await world.consents.record(ref, contactId, { ...consent, id: contactId, at: iso(Date.now()) });
    return () => call(send, { key, body: { channel: 'sms', to, text: 'It works.' } });
  };

  return [
    {
      name: 'POST /messages, email to a known contact',
      prepare: async (run) => {
        await mailTo(`known${run}@example.com`);
        return () => mailTo(`known${run}@example.com`);
      },
    },
    {
      name: 'POST /messages, email to a new recipient',
      prepare: async (run) => () => mailTo(`new${run}@example.com`),
    },
    {
      name: 'POST /messages, sms to a known contact',
      prepare: (run) => textTo(`+88018000000${10 + run}`, detailsOf({})),
    },
    {
      name: 'POST /messages, sms to a contact with 10 KB of customFields',
      prepare: (run) => textTo(`+88018000000${20 + run}`, full),
    },
    {
      name: 'send-text, ten sms at a time',
      count: 10,
      prepare: async () => {
        // One after the other: together, on a busy machine, they could not have the same credits in time.
        const jobs = await Array.fromAsync({ length: 10 }, () => acceptedText(world, account));
        return () => bench.give(...jobs);
      },
    },
    {
      name: 'delivery report of an sms',
      prepare: async () => {
        const { id } = await handedOverText(world, account);
        return () => world.outcomeRecorder.record(ref, id, { trigger: 'deliveryConfirmed' }, Date.now());
      },
    },
    {
      name: 'delivery notification of an email',
      prepare: async (run) => {
        const id = await sentMail(`delivered${run}@example.com`);
        return () => world.outcomeRecorder.record(ref, id, { trigger: 'deliveryConfirmed' }, Date.now());
      },
    },
    {
      name: 'delivery notification of an email to a contact with 10 KB of customFields',
      prepare: async (run) => {
        const email = `full${run}@example.com`;
        await createContact({ ...full, email });
        const id = await sentMail(email);
        return () => world.outcomeRecorder.record(ref, id, { trigger: 'deliveryConfirmed' }, Date.now());
      },
    },
    {
      name: 'count-messages, a hundred changes at a time',
      count: batch,
      prepare: async (run) => () => world.analytics.record(changes(run), startMs),
    },
    {
      name: 'POST /v1/checkout-sessions',
      prepare: async () => () =>
        world.sessions.create(ref, openSession(ref.id), { idempotencyKey: undefined, nowMs: Date.now() }),
    },
    { name: 'a payment begins', prepare: async () => () => begunPayment(world, account) },
    {
      name: 'a payment begins, of a session with 25 KB of metadata and 100 line items',
      prepare: async () => () => begunPayment(world, account, fullSize),
    },
  ];
};

/** What webhooks repeat. The load of a subscription does not depend on the spread of its account. */
export const openListening = async (world: World): Promise<readonly Operation[]> => {
  const listening = await world.newAccount();
  const hooks = webhookCalls(world);
  const subscription = await hooks.subscribe(listening, { events: ['message.sent', 'message.delivered'] });
  const attempt = attemptDelivery({
    ...world,
    webhookTarget: { post: async () => ({ statusCode: 200, responseTime: 20, responseBody: 'ok' }) },
    lateWebhookDeliveriesQueue: startLateList<DeliveryJob>(),
    laneQueues: { fast: startList<DeliveryJob>(), slow: startList<DeliveryJob>() },
    waits: [5],
    // No lease lasts too long.
    clock: () => startMs,
  });
  const subscriptions = (count: number) => Array.from({ length: count }, () => newId(startMs));
  const eventsTo = (wantedBy: readonly string[]) => async () => {
    const publish = () =>
      world.events.storeNumbered(
        listening.ref,
        Array.from({ length: 10 }, () => {
          const occurredMs = Date.now();
          return { id: `evt_${newId(occurredMs)}`, name: 'message.sent', occurredMs, payload: '{}', wantedBy } as const;
        }),
      );
    await publish();
    return publish;
  };
  const [oneSubscription, hundredSubscriptions] = [subscriptions(1), subscriptions(100)];
  return [
    { name: 'events, ten at a time, of one subscription', count: 10, prepare: eventsTo(oneSubscription) },
    { name: 'events, ten at a time, of a hundred subscriptions', count: 10, prepare: eventsTo(hundredSubscriptions) },
    {
      name: 'a webhook delivery, ten at a time to one subscription',
      count: 10,
      prepare: async () => {
        const items = await Promise.all(Array.from({ length: 10 }, () => hooks.acceptedItem(listening)));
        const jobs: DeliveryJob[] = [];
        for (const item of items) jobs.push(...(await hooks.publish(listening, 'message.sent', item)));
        return () =>
          attempt(
            jobs.filter(({ webhook }) => webhook === subscription.id),
            (_, work) => work(),
          );
      },
    },
  ];
};
