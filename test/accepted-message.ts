import { randomUUID } from 'node:crypto';
import { type Acceptance, accept } from '../shared/compliance/accept.ts';
import type { AccountRef } from '../shared/kit/account-ref.ts';
import { newId } from '../shared/kit/id.ts';
import type { TextJob } from '../shared/messages/jobs.ts';
import type { TextChannel } from '../shared/messages/message.ts';
import { type AcceptedMessage, newText } from '../shared/messages/new-message.ts';
import type { StoredMessage } from '../shared/table/messages/message-items.ts';
import type { TestAccount, World } from './world.ts';

/** Accepts an email, as `POST /messages` does before it sends it. */
export const acceptEmail = async (world: World, account: AccountRef, message: AcceptedMessage): Promise<Acceptance> => {
  const contact = { email: message.to ?? '' };
  const context = await world.sends.read(account, { channel: 'email', contact });
  const draft = { message, contact };
  return accept(world, { account, draft, context, nowMs: Date.now() });
};

interface Wishes {
  readonly channel?: TextChannel;
  readonly text?: string;
  readonly atMs?: number;
  readonly expiresMs?: number;
}

let recipients = 0;

/** Stores a message to a new contact as `POST /messages` does after the gate: accepted, paid, `queued`. Returns its job. */
export const acceptedText = async (
  { sends }: World,
  { ref }: TestAccount,
  { channel = 'sms', text = 'Hello', atMs = Date.now(), expiresMs }: Wishes = {},
): Promise<TextJob> => {
  recipients += 1;
  const phone = `+88017${String(recipients).padStart(8, '0')}`;
  const id = newId(atMs);
  const message = newText({ channel, to: phone }, id, text, 'masked');
  const draft = { message, contact: { phone }, text, expiresMs };
  const outcome = await sends.write(ref, draft, { holder: undefined, optOut: undefined }, undefined);
  if (outcome !== 'accepted') throw new Error('the message was not accepted');
  return { kind: 'text', account: ref.id, message: id, channel };
};

/** Stores a message as `acceptedText` does, and calls its provider: it is `sent`, or `sending` when the answer was lost. */
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
