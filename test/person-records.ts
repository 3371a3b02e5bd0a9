import { type CheckoutEventName, paymentEvent, sessionEvent } from '../shared/checkout/events.ts';
import type { FoundPayment } from '../shared/checkout/payment.ts';
import { newRefund } from '../shared/checkout/refund.ts';
import type { AccountRef } from '../shared/kit/account-ref.ts';
import { newId } from '../shared/kit/id.ts';
import { JsonText } from '../shared/kit/json-text.ts';
import { iso } from '../shared/kit/time.ts';
import type { Mail } from '../shared/messages/mail.ts';
import { type AcceptedMessage, newEmail, newText } from '../shared/messages/new-message.ts';
import { peopleKeyStore } from '../shared/table/people/people-key.ts';
import { fileKeys } from '../shared/table/transfers/file-keys.ts';
import { eventsBetween } from '../shared/webhooks/events.ts';
import type { DeliveryJob } from '../shared/webhooks/jobs.ts';
import { messageEvent } from '../shared/webhooks/payload.ts';
import { eventPublisher } from '../shared/webhooks/publish.ts';
import { acceptEmail } from './accepted-message.ts';
import { answeredPayment } from './checkout-fixture.ts';
import { contactCalls } from './contacts-calls.ts';
import { exportCalls } from './export-calls.ts';
import { startList, webhookCalls } from './webhook-calls.ts';
import type { TestAccount, World } from './world.ts';

/** A person; every text about them has their first name. */
export interface Someone {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

/** Messages and their state: one email each that was sent, that is large, that failed and that waits for its time, and a text. */
const sendMessages = async (world: World, { ref }: TestAccount, { name, email, phone }: Someone) => {
  const accepted = async (metadata: object): Promise<AcceptedMessage> => {
    const asked = { channel: 'email', to: email, tags: [`tag-${name}`], metadata: JsonText.of(metadata) } as const;
    const message = newEmail(asked, newId(Date.now()));
    await acceptEmail(world, ref, message);
    return message;
  };
  const sent = await accepted({ customer: name });
  await world.messages.move(ref, sent, 'providerAccepted', Date.now(), `reference-${name}`);
  const large = await accepted({ customer: name.repeat(200) });
  await world.messages.move(ref, large, 'providerAccepted', Date.now());
  const failed = await accepted({});
  await world.messages.fail(ref, failed, 'sendFailed', { code: 'refused', reason: `${name} is unknown` }, Date.now());
  await scheduleEmail(world, ref, { name, email });
  const text = await beginText(world, ref, { name, phone });
  await world.messages.move(ref, text, 'providerAccepted', Date.now());
  return { sent, others: [large, failed, text] };
};

const scheduleEmail = async (world: World, ref: AccountRef, { name, email }: Pick<Someone, 'name' | 'email'>) => {
  const id = newId(Date.now());
  const contact = { email };
  const message = newEmail({ channel: 'email', to: email, sendAt: Date.now() + 86_400_000 }, id);
  const mail: Mail = {
    messageId: id,
    accountId: ref.id,
    from: { address: 'hello@example.com', name: undefined },
    to: email,
    replyTo: undefined,
    attachments: [],
    subject: `Dear ${name}`,
    html: undefined,
    text: name,
  };
  const context = await world.sends.read(ref, { channel: 'email', contact });
  await world.sends.write(ref, { message, contact, mail }, context, undefined);
};

/** A text whose provider has not answered. */
export const beginText = async (
  world: World,
  ref: AccountRef,
  { name, phone }: Pick<Someone, 'name' | 'phone'>,
): Promise<AcceptedMessage> => {
  const id = newId(Date.now());
  const contact = { phone };
  const message = newText({ channel: 'sms', to: phone }, id, name, 'masked');
  const context = await world.sends.read(ref, { channel: 'sms', contact });
  await world.sends.write(ref, { message, contact, text: name }, context, undefined);
  const wishes = { token: id, isRepeatable: false, nowMs: Date.now() };
  await world.textSends.pickUp(ref, { message: id, channel: 'sms' }, wishes);
  return message;
};

/** A contact with all its fields and a consent. */
const addContact = async (world: World, { ref, key }: TestAccount, { name, email, phone }: Someone) => {
  const fields = { firstName: name, tags: [`tag-${name}`], source: `source-${name}`, customFields: { nick: name } };
  const { body } = await contactCalls(world).create(
    key,
    { email, phone, ...fields },
    { 'idempotency-key': `key of ${name}` },
  );
  const entry = { id: `form-${name}`, channel: 'sms', status: 'active', source: `form-${name}`, text: name } as const;
  await world.consents.record(ref, String(body.data.id), { ...entry, by: 'recipient', at: iso(Date.now()) });
  return String(body.data.id);
};

/** A paid session with a refund that failed, and its events. */
const payForIt = async (world: World, account: TestAccount, { name, email, phone }: Someone) => {
  const paid = await answeredPayment(
    world,
    account,
    { state: 'succeeded', reason: `paid by ${name}` },
    {
      customer: { name, email, phone },
      metadata: JsonText.of({ customer: name.repeat(200) }),
      description: 'Two books',
    },
  );
  const facts = { id: newId(Date.now()), amountMinor: 100, reason: `${name} asked for it`, nowMs: Date.now() };
  const refund = newRefund(paid.payment, facts);
  await world.refunds.add(paid, refund);
  const found = await world.refunds.find(refund.sessionId, refund.id);
  if (found)
    await world.refunds.saveAnswer(found, {
      status: 'FAILED',
      reference: undefined,
      failureReason: `${name} is unknown`,
    });
  await publishCheckoutEvents(world, paid, 'payment.succeeded');
};

/** Stores an event of a payment, and one of its session. */
export const publishCheckoutEvents = async (
  world: World,
  { account, session, payment }: FoundPayment,
  name: CheckoutEventName,
): Promise<void> => {
  const events = [
    paymentEvent(name, payment, session.metadata, Date.now()),
    sessionEvent('checkout_session.expired', session, Date.now()),
  ];
  await world.checkoutEvents.storeNumbered(
    account,
    events.map((event) => ({ ...event, wantedBy: [] })),
  );
};

/** Stores the events of a message, and returns the jobs of their deliveries. */
export const publishEvents = async (world: World, { ref }: TestAccount, { id }: AcceptedMessage) => {
  const webhookDeliveriesQueue = startList<DeliveryJob>();
  const { audienceOf, publish } = eventPublisher({ ...world, webhookDeliveriesQueue });
  const message = await world.messages.find(ref, id);
  if (message) {
    // The id of its deliveries follows from the time of the event.
    const events = eventsBetween(undefined, message).map((name) => messageEvent(name, message, Date.now()));
    await publish(await audienceOf(ref.id), events);
  }
  return webhookDeliveriesQueue.jobs;
};

/** Files of each kind with the person in them. */
const keepFiles = async (world: World, { ref, key }: TestAccount, { name, email }: Someone) => {
  const exported = exportCalls(world, key);
  await exported('contacts').rows();
  await exported('messages').rows({ to: email });
  const [upload, refused] = [newId(Date.now()), newId(Date.now())];
  const facts = { contentType: 'text/plain', bytes: 1, expiresMs: Date.now() + 3_600_000 };
  await world.uploads.add(ref, upload, { filename: `for ${email} only.txt`, ...facts });
  await world.files.put(fileKeys.attachment(ref.id, upload), Buffer.from(name));
  await world.files.put(fileKeys.refused(ref.id, refused), Buffer.from(`email,firstName\r\n${email},${name}\r\n`));
};

/** An entry of the audit log with an address in its path. */
const noteRemoval = async (world: World, { ref }: TestAccount, { email }: Someone) => {
  const { sealedKey } = (await peopleKeyStore(world.table, world.vault).create(world.dataKeys)).ref;
  const who = { kind: 'token', email: null, name: 'test', address: '203.0.113.7', userAgent: '' } as const;
  const action = 'DELETE /api/v1/suppressions/{channel}/{address}';
  const resource = `/api/v1/suppressions/email/${encodeURIComponent(email)}`;
  const actor = await world.audit.seal(sealedKey, who);
  await world.audit.begin({ actor, sealedKey, action, resource, account: ref.id }, Date.now());
};

/** All that an account can hold about a person. The account has a subscription to the events of its messages. */
export const holdPerson = async (world: World, account: TestAccount, someone: Someone): Promise<void> => {
  const { ref } = account;
  const contactId = await addContact(world, account, someone);
  const { sent, others } = await sendMessages(world, account, someone);
  for (const message of others) await publishEvents(world, account, message);
  for (const job of await publishEvents(world, account, sent))
    await webhookCalls(world).record(job, { statusCode: 200, responseBody: `thanks, ${someone.name}` });
  await payForIt(world, account, someone);
  await world.windows.open(ref, someone.phone, Date.now());
  const entry = { channel: 'sms', address: { phone: someone.phone }, reason: 'manual' } as const;
  await world.suppressions.add(ref, { id: newId(Date.now()), ...entry });
  await keepFiles(world, account, someone);
  await noteRemoval(world, account, someone);
  await contactCalls(world).setStatus(contactId, 'unsubscribed');
};
