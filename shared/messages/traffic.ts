import * as z from 'zod';
import { isId, timeOfId } from '../kit/id.ts';
import { emptyObject } from '../kit/json-text.ts';
import { iso } from '../kit/time.ts';
import { channels, statuses } from './message.ts';
import { type AcceptedMessage, noPrice } from './new-message.ts';

export const trafficOrigins = ['campaign', 'automation'] as const;

const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => iso(Date.parse(text)))
  .nullable()
  .default(null);

/**
 * What a sister service reports of a message that it sent for an account: the message as it is now, once when it is made and again under the
 * same `id` whenever its status has changed. Jobs may arrive twice, late and in any order. `id` is a UUIDv7 of the sender's making; the
 * time in it is when the message was created.
 */
export const trafficJob = z.object({
  account: z.string(),
  id: z.string().refine(isId, 'must be a UUIDv7'),
  origin: z.enum(trafficOrigins),
  channel: z.enum(channels),
  status: z.enum(statuses),
  sentAt: instant,
  deliveredAt: instant,
  failedAt: instant,
  failureReason: z.string().nullable().default(null),
  failureCode: z.string().nullable().default(null),
});

export type TrafficJob = z.output<typeof trafficJob>;

/** The message that a job reports. Its recipient stays with the sender, and it was paid for there. */
export const trafficMessage = ({ account: _, origin: __, ...reported }: TrafficJob): AcceptedMessage => ({
  ...reported,
  to: null,
  tags: [],
  metadata: emptyObject,
  createdAt: iso(timeOfId(reported.id)),
  price: noPrice,
});
