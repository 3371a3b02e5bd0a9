import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptEmail, acceptedText } from '../../../test/accepted-message.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { newId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { newEmail, newText } from '../../messages/new-message.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');

let world: World;
let account: TestAccount;
let written: (work: () => Promise<unknown>) => Promise<number>;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
  const { split } = countConsumption(world.calls);
  written = async (work) => (await split(work)).written;
});
afterAll(() => world.close());

const delivered = (id: string) =>
  written(() => world.outcomeRecorder.record(account.ref, id, { trigger: 'deliveryConfirmed' }, nowMs));

it('an email to a known contact costs ten write units until it is delivered, without counting and webhooks', async () => {
  const email = () => newEmail({ channel: 'email', to: 'ada@example.com' }, newId(nowMs));
  const [first, next] = [email(), email()];
  expect({
    newContact: await written(() => acceptEmail(world, account.ref, first)),
    accepted: await written(() => acceptEmail(world, account.ref, next)),
    sent: await written(() => world.messages.move(account.ref, next, 'providerAccepted', nowMs)),
    delivered: await delivered(next.id),
  }).toEqual({ newContact: 14, accepted: 6, sent: 2, delivered: 2 });
});

it('a text to a known contact costs sixteen write units, of which two check that nothing has changed', async () => {
  const { message: firstId } = await acceptedText(world, account);
  const { to } = (await world.messages.find(account.ref, firstId)) ?? {};
  const contact = { phone: to ?? '' };
  const contactId = (await world.contacts.idByAddress(account.ref, contact)) ?? '';
  const consent = { channel: 'sms', status: 'active', source: 'form', text: null, by: 'operator' } as const;
  await world.consents.record(account.ref, contactId, { ...consent, id: contactId, at: iso(nowMs) });
  const context = await world.sends.read(account.ref, { channel: 'sms', contact });
  const message = newText({ channel: 'sms', to: contact.phone }, newId(nowMs), 'Hello', 'masked');
  const draft = { message, contact, text: 'Hello' };
  const wishes = { token: randomUUID(), isRepeatable: false, nowMs };
  const job = { message: message.id, channel: 'sms' } as const;
  expect({
    accepted: await written(() => world.sends.write(account.ref, draft, context, undefined)),
    claimed: await written(() => world.textSends.pickUp(account.ref, job, wishes)),
    sent: await written(() => world.messages.move(account.ref, message, 'providerAccepted', nowMs)),
    delivered: await delivered(message.id),
  }).toEqual({ accepted: 8, claimed: 2, sent: 3, delivered: 3 });
});
