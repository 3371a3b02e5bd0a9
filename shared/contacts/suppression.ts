import * as z from 'zod';
import { exampleId } from '../kit/id.ts';
import { type Channel, channels } from '../messages/message.ts';
import type { Recipient } from '../messages/recipient.ts';
import type { ContactStatus, KeptContact } from './contact.ts';

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
      .describe('`bounced`, `complained` and `unsubscribed` follow the status of the contact with this address.'),
    createdAt: z.string().meta({ format: 'date-time' }),
  })
  .meta({
    id: 'Suppression',
    description: 'An address that is not to be written to on a channel.',
    examples: [exampleSuppression],
  });

export type Suppression = z.output<typeof suppression>;

/** The channels that a contact is not to be written to on, by its status. Only emails bounce or are reported as spam. */
const channelsOf: Readonly<Partial<Record<ContactStatus, readonly Channel[]>>> = {
  bounced: ['email'],
  complained: ['email'],
  unsubscribed: channels,
};

/** An entry of the list that follows from a contact. */
interface ContactSuppression {
  readonly channel: Channel;
  readonly address: Recipient['contact'];
  readonly reason: SuppressionReason;
}

/** The entries of a contact: those of its addresses on the channels that its status concerns. */
export const suppressionsOf = ({ status, email, phone }: KeptContact): ContactSuppression[] =>
  (channelsOf[status] ?? []).flatMap((channel) => {
    const address = channel === 'email' ? email !== null && { email } : phone !== null && { phone };
    const reason = suppressionReasons.find((each) => each === status);
    return address && reason ? [{ channel, address, reason }] : [];
  });
