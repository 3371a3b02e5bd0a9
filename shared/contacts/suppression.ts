import * as z from 'zod';
import { exampleId } from '../kit/id.ts';
import { type Channel, channels, type Status } from '../messages/message.ts';
import type { Recipient } from '../messages/recipient.ts';
import type { KeptContact } from './contact.ts';
import { isHolder } from './search.ts';

export const suppressionReasons = ['manual', 'bounced', 'complained', 'unsubscribed'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export const exampleSuppression = {
  id: exampleId,
  channel: 'email',
  address: 'ada@example.com',
  reason: 'bounced',
  createdAt: '2026-11-20T12:00:00.000Z',
};

/** An address that is not to be written to on a channel. */
export const suppression = z
  .object({
    id: z.string(),
    channel: z.enum(channels),
    address: z.string().describe('An email address as it was sent, or a phone number in E.164 format.'),
    reason: z
      .enum(suppressionReasons)
      .describe(
        '`bounced`, `complained` and `unsubscribed` follow the status of the contact with this address, or stay with an email that its contact no longer has, or that bounced before its contact unsubscribed or while it was unsubscribed.',
      ),
    createdAt: z.string().meta({ format: 'date-time' }),
  })
  .meta({
    id: 'Suppression',
    description: 'An address that is not to be written to on a channel.',
    examples: [exampleSuppression],
  });

export type Suppression = z.output<typeof suppression>;

/** An entry of the list that follows from a contact. */
interface ContactSuppression {
  readonly channel: Channel;
  readonly address: Recipient['contact'];
  readonly reason: SuppressionReason;
}

/** Only emails bounce or are reported as spam. A complaint does not end an unsubscription from texts. */
const reasonOn = (channel: Channel, { status, hasLeft }: KeptContact): SuppressionReason | undefined => {
  if (channel === 'email') return suppressionReasons.find((reason) => reason === status);
  const isUnsubscribed = status === 'unsubscribed' || (status === 'complained' && hasLeft);
  return isUnsubscribed ? 'unsubscribed' : undefined;
};

/** Why an address is not to be written to after a message to it has come to this status. The outcomes of texts are no reason. */
export const reasonAfter = (channel: Channel, to: Status): SuppressionReason | undefined =>
  channel === 'email' ? suppressionReasons.find((reason) => reason === to) : undefined;

/** The entries of a contact: those of its addresses on the channels that it is not to be written to on. */
export const suppressionsOf = (contact: KeptContact): ContactSuppression[] =>
  channels.flatMap((channel) => {
    const { email, phone } = contact;
    const address = channel === 'email' ? email !== null && { email } : phone !== null && { phone };
    const reason = reasonOn(channel, contact);
    return address && reason ? [{ channel, address, reason }] : [];
  });

/**
 * The entry of a contact's email that stays although the contact no longer gives it: the contact has another email, or a bounced one that its owner has
 * unsubscribed, which a new consent would end. A complaint outweighs an unsubscription. Its phone keeps an opt-out of its own.
 */
export const leftBehind = (before: KeptContact, after: KeptContact): ContactSuppression | undefined => {
  const hasUnsubscribed = after.status === 'unsubscribed' && after.hasLeft;
  return suppressionsOf(before).find(
    ({ channel, address, reason }) =>
      channel === 'email' && (!isHolder(after, address) || (reason === 'bounced' && hasUnsubscribed)),
  );
};
