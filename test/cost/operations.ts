import type { SQSEvent } from 'aws-lambda';
import { sendMessageContract } from '../../functions/messages/send-message/contract.ts';
import { sendMessage } from '../../functions/messages/send-message/handler.ts';
import { sendMessagesContract } from '../../functions/messages/send-messages/contract.ts';
import { sendMessages } from '../../functions/messages/send-messages/handler.ts';
import { groupOf, sendScheduled } from '../../functions/messages/send-scheduled/handler.ts';
import { detailsOf } from '../../shared/contacts/contact.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { newId } from '../../shared/kit/id.ts';
import { iso } from '../../shared/kit/time.ts';
import { scheduledJob } from '../../shared/messages/jobs.ts';
import { groupWorker } from '../../shared/work/queue-worker.ts';
import { call } from '../call.ts';
import { contextWith } from '../lambda-context.ts';
import { startList, webhookCalls } from '../webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../world.ts';
import { type Flow, inBatches, openFlow } from './flow.ts';
import { paymentTraffic } from './payments.ts';
import { requestsOf } from './requests.ts';
import { type StepMeter, stepMeter } from './step-meter.ts';
import type { Traffic } from './traffic.ts';
import type { Step } from './usage.ts';

/** How many messages come together while the service is busy: workers then get ten jobs at a time. */
const busyMessages = 10;
export const busyBatch = 10;
/** Of the worker that sends scheduled ones, as in its row: an email with its files takes much memory. */
export const scheduledBatch = 3;

export interface Measured {
  readonly name: string;
  readonly load: 'busy' | 'trickle';
  readonly operations: number;
  readonly steps: readonly Step[];
}

/** Requests come in one minute, which no other call with their key begins: the first in each minute costs more. */
const requestedMs = Date.now() + 3_600_000;
const clock = () => requestedMs;

const events = ['message.sent', 'message.delivered'];
const phone = '+8801700000000';

const newSender = async (world: World, webhooks: number): Promise<TestAccount> => {
  const account = await world.newAccount({ credits: { email: 10_000, smsMasked: 10_000 } });
  for (let n = 0; n < webhooks; n += 1)
    await webhookCalls(world).subscribe(account, { events, url: `https://target${n}.example.com/hooks` });
  const contactId = newId(Date.now());
  await world.contacts.create(account.ref, { id: contactId, details: detailsOf({ phone }) }, Date.now());
  await world.consents.record(account.ref, contactId, {
    ...{ id: contactId, channel: 'sms', status: 'active', source: 'cost', text: null, by: 'operator' },
    at: iso(Date.now()),
  });
  return account;
};

/** Sends so many messages of this account, and gives their ids. */
type Send = (account: TestAccount, count: number) => Promise<readonly string[]>;

const mail = (to: string) => ({ channel: 'email', to, subject: 'Hello', text: 'It works.' });
const known = 'ada@example.com';
const aheadMs = 3_600_000;

/** Ways to have messages sent. */
const sendersIn = (world: World, meter: StepMeter) => {
  const needs = { ...world, platformAddress: 'p@platform.example', clock: Date.now };
  const callers = world.callers('messages:send');
  const single = endpoint(sendMessageContract, sendMessage(needs), callers, clock);
  const batch = endpoint(sendMessagesContract, sendMessages(needs), callers, clock);
  const dueClock = () => requestedMs + aheadMs + 1;
  const scheduledQueue = startList();
  const due = groupWorker(scheduledJob, groupOf, sendScheduled({ ...needs, scheduledQueue, clock: dueClock }));
  let recipients = 0;

  const sendOne = async (key: string, body: object, outside = {}): Promise<string> => {
    let id = '';
    await meter.step({ does: 'messages/send-message', invocations: 1, jobs: 1, isRequest: true, outside }, async () => {
      id = String((await call(single, { key, body })).body.data.id);
    });
    return id;
  };

  const oneByOne =
    (bodyOf: () => object, outside = {}): Send =>
    async ({ key }, count) => {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push(await sendOne(key, bodyOf(), outside));
      return ids;
    };

  return {
    email: oneByOne(() => mail(known), { email: 1 }),
    sms: oneByOne(() => ({ channel: 'sms', to: phone, text: 'It works.' })),

    emailToNew: oneByOne(
      () => {
        recipients += 1;
        return mail(`reader${recipients}@example.com`);
      },
      { email: 1 },
    ),

    /** Ten rows are sent at a time, so the function waits for one. */
    batch: async ({ key }, count) => {
      const body = { messages: Array.from({ length: count }, () => mail(known)) };
      let ids: readonly string[] = [];
      await meter.step(
        { does: 'messages/send-messages', invocations: 1, jobs: count, isRequest: true, outside: { email: 1 } },
        async () => {
          const { results } = (await call(batch, { key, body })).body.data;
          ids = results.map(({ message }: { message: { id: string } }) => message.id);
        },
      );
      return ids;
    },

    /** Requests to SQS: the sweep queues ten jobs at a time, and Lambda receives and deletes each batch. The sweep's reads are part of an idle month. */
    scheduled: async ({ ref, key }, count) => {
      const body = { ...mail(known), sendAt: iso(requestedMs + aheadMs) };
      const ids = await oneByOne(() => body)({ ref, key }, count);
      const jobs = ids.map((message) => ({ kind: 'send', account: ref.id, message, channel: 'email' }));
      for (const [n, some] of inBatches(jobs, scheduledBatch).entries()) {
        const Records = some.map((job, place) => ({ messageId: `${place}`, body: JSON.stringify(job) }));
        const counted = { invocations: 1, jobs: some.length, queueRequests: n === 0 ? 3 : 2, outside: { email: 1 } };
        await meter.step({ does: 'messages/send-scheduled', ...counted }, () =>
          due({ Records } as unknown as SQSEvent, contextWith()),
        );
      }
      return ids;
    },
  } as const satisfies Readonly<Record<string, Send>>;
};

/** Messages with their notifications of providers. */
const messageTraffic = (world: World, meter: StepMeter, flow: Flow) => {
  const senders = sendersIn(world, meter);
  const of =
    (channel: 'email' | 'sms', webhooks: number, send: Send): Traffic['open'] =>
    async () => {
      const account = await newSender(world, webhooks);
      return async (count, batch) => {
        const ids = await send(account, count);
        await flow.drain(batch);
        for (const id of ids)
          await (channel === 'email' ? flow.notifyOfMail(account.ref.id, id) : flow.notifyOfText(account.ref, id));
      };
    };
  const alone: readonly Traffic[] = [
    { name: 'an email to a known contact, without webhooks', open: of('email', 0, senders.email) },
    { name: 'an email to a known contact, two webhooks', open: of('email', 2, senders.email) },
    { name: 'an email to a new recipient, without webhooks', open: of('email', 0, senders.emailToNew) },
    { name: 'a scheduled email, without webhooks', open: of('email', 0, senders.scheduled) },
    { name: 'an sms, without webhooks', open: of('sms', 0, senders.sms) },
    { name: 'an sms, two webhooks', open: of('sms', 2, senders.sms) },
  ];
  return {
    alone,
    batch: { name: 'an email of a batch of ten, without webhooks', open: of('email', 0, senders.batch) },
  };
};

const measureIn = async (world: World, meter: StepMeter, { withBatch, busy }: Wishes): Promise<Measured[]> => {
  const flow = await openFlow(world, meter);
  const measured: Measured[] = [];
  const messages = messageTraffic(world, meter, flow);
  const traffic = [...messages.alone, ...paymentTraffic(world, meter, flow, clock)];

  const measure = async ({ name, open }: Traffic, load: Measured['load']): Promise<void> => {
    const run = await open();
    const steps = async (operations: number, batch: number): Promise<Step[]> => {
      await run(operations, batch);
      await flow.drain(batch);
      await flow.countAll();
      return meter.take();
    };
    // Opens data keys, creates the minute's counter and the contact.
    await steps(1, 1);
    const operations = load === 'busy' ? busyMessages : 1;
    measured.push({ name, load, operations, steps: await steps(operations, load === 'busy' ? busyBatch : 1) });
  };

  for (const each of traffic) if (busy?.includes(each.name) ?? true) await measure(each, 'busy');
  for (const each of traffic) await measure(each, 'trickle');
  if (withBatch) await measure(messages.batch, 'busy');
  const requests = await requestsOf(world, clock);
  meter.take();
  for (const { name, does, ask } of requests) {
    // The first in the minute of a key costs more.
    await ask();
    await meter.step({ does, invocations: 1, jobs: 1, isRequest: true }, ask);
    measured.push({ name, load: 'trickle', operations: 1, steps: meter.take() });
  }
  return measured;
};

interface Wishes {
  /** Also a batch. Its rows write at once, so how many writes are repeated differs from run to run. */
  readonly withBatch?: boolean;
  /** The names of what is measured while the service is busy, of ten operations each; all by default. */
  readonly busy?: readonly string[];
}

/** What each operation uses, from the request to its last delivery and count, with warm functions. */
export const measureOperations = async (wishes: Wishes = {}): Promise<Measured[]> => {
  const meter = stepMeter();
  const world = await startWorld({
    hasStream: true,
    limits: { factor: 1e-9, pause: async () => undefined, onSpent: meter.onSpent },
  });
  try {
    return await measureIn(world, meter, wishes);
  } finally {
    await world.close();
  }
};
