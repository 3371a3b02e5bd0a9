import { sendMessageContract } from '../../functions/messages/send-message/contract.ts';
import { sendMessage } from '../../functions/messages/send-message/handler.ts';
import { detailsOf } from '../../shared/contacts/contact.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { newId } from '../../shared/kit/id.ts';
import { iso } from '../../shared/kit/time.ts';
import { call } from '../call.ts';
import { webhookCalls } from '../webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../world.ts';
import { openFlow } from './flow.ts';
import { requestsOf } from './requests.ts';
import { type StepMeter, stepMeter } from './step-meter.ts';
import type { Step } from './usage.ts';

/** How many messages come together while the service is busy: workers then get ten jobs at a time. */
const busyMessages = 10;
const busyBatch = 10;

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

const measureIn = async (world: World, meter: StepMeter): Promise<Measured[]> => {
  const handler = endpoint(
    sendMessageContract,
    sendMessage({ ...world, platformAddress: 'p@platform.example', clock: Date.now }),
    world.callers('messages:send'),
    clock,
  );
  const flow = await openFlow(world, meter);
  const measured: Measured[] = [];

  const sendOne = async (key: string, channel: 'email' | 'sms'): Promise<string> => {
    const to = channel === 'email' ? 'ada@example.com' : phone;
    const body = { channel, to, subject: 'Hello', text: 'It works.' };
    const outside = channel === 'email' ? { email: 1 } : {};
    let id = '';
    await meter.step({ does: 'messages/send-message', invocations: 1, jobs: 1, isRequest: true, outside }, async () => {
      id = String((await call(handler, { key, body })).body.data.id);
    });
    return id;
  };

  const message = (channel: 'email' | 'sms', name: string, webhooks: number) => async (load: Measured['load']) => {
    const account = await newSender(world, webhooks);
    const { ref, key } = account;
    const send = async (operations: number, batch: number): Promise<Step[]> => {
      const ids: string[] = [];
      for (let n = 0; n < operations; n += 1) ids.push(await sendOne(key, channel));
      await flow.drain(batch);
      for (const id of ids) await (channel === 'email' ? flow.notifyOfMail(ref.id, id) : flow.notifyOfText(ref, id));
      await flow.drain(batch);
      await flow.countAll();
      return meter.take();
    };
    // Opens data keys, creates the minute's counter and the contact.
    await send(1, 1);
    const operations = load === 'busy' ? busyMessages : 1;
    measured.push({ name, load, operations, steps: await send(operations, load === 'busy' ? busyBatch : 1) });
  };

  for (const load of ['busy', 'trickle'] as const) {
    await message('email', 'an email to a known contact, without webhooks', 0)(load);
    await message('email', 'an email to a known contact, two webhooks', 2)(load);
    await message('sms', 'an sms, without webhooks', 0)(load);
    await message('sms', 'an sms, two webhooks', 2)(load);
  }
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

/** What each operation uses, from the request to its last delivery and count, with warm functions. */
export const measureOperations = async (): Promise<Measured[]> => {
  const meter = stepMeter();
  const world = await startWorld({ limits: { factor: 1e-9, pause: async () => undefined, onSpent: meter.onSpent } });
  try {
    return await measureIn(world, meter);
  } finally {
    await world.close();
  }
};
