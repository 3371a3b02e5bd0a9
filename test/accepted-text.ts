import { randomUUID } from 'node:crypto';
import { recipientDetails } from '../shared/contacts/contact.ts';
import { newId, nthId } from '../shared/kit/id.ts';
import type { TextJob } from '../shared/messages/jobs.ts';
import type { TextChannel } from '../shared/messages/message.ts';
import { newText } from '../shared/messages/new-message.ts';
import { createWrites } from '../shared/table/contacts/contact-writes.ts';
import { acceptWrites, type StoredMessage } from '../shared/table/messages/message-items.ts';
import type { TestAccount, World } from './world.ts';

interface Wishes {
  readonly channel?: TextChannel;
  readonly text?: string;
  readonly atMs?: number;
}

let recipients = 0;

/** Stores a message to a new contact as `POST /messages` does after the gate: accepted, paid, `queued`. Returns its job. */
export const acceptedText = async (
  { table, vault }: World,
  { ref }: TestAccount,
  { channel = 'sms', text = 'Hello', atMs = Date.now() }: Wishes = {},
): Promise<TextJob> => {
  recipients += 1;
  const phone = `+88017${String(recipients).padStart(8, '0')}`;
  const id = newId(atMs);
  const contactId = nthId(id, 1);
  const cipher = await vault.unlock(ref);
  const message = newText({ channel, to: phone }, id, text, 'masked');
  const refused = await table.transact([
    ...acceptWrites(ref.id, cipher, message, contactId, text),
    ...createWrites(ref.id, cipher, contactId, recipientDetails({ phone }), atMs),
  ]);
  if (refused) throw new Error('the message was not accepted');
  return { account: ref.id, message: id, channel };
};

/** The same after its provider was called: `sent`, or `sending` when the answer was lost. */
export const handedOverText = async (
  world: World,
  account: TestAccount,
  { isAnswered = true, atMs = Date.now(), ...wishes }: Wishes & { readonly isAnswered?: boolean } = {},
): Promise<StoredMessage> => {
  const job = await acceptedText(world, account, { ...wishes, atMs });
  const claimed = await world.textSends.pickUp(account.ref, job, {
    token: randomUUID(),
    isRepeatable: false,
    nowMs: atMs,
  });
  if (claimed.kind !== 'claimed') throw new Error('the message was not claimed');
  if (isAnswered) await world.messages.move(account.ref, claimed.message, 'providerAccepted', atMs);
  return claimed.message;
};
