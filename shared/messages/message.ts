import * as z from 'zod';

export const channels = ['email', 'sms', 'whatsapp'] as const;
export type Channel = (typeof channels)[number];

/** Every status a message can have (specification, "Message statuses"). */
export const statuses = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'failed',
  'read',
  'rejected',
  'unsubscribed',
  'complained',
] as const;
export type Status = (typeof statuses)[number];

/** The statuses that the list can be asked for. */
export const listedStatuses = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'failed',
] as const satisfies Status[];

/** The Message object of the specification, as every endpoint and every event shows it. */
export const message = z.object({
  id: z.string(),
  channel: z.enum(channels),
  status: z.enum(statuses),
  /** As it was sent; null on a message that did not come through the API. */
  to: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  deliveredAt: z.string().nullable(),
  failedAt: z.string().nullable(),
  failureReason: z.string().nullable(),
  failureCode: z.string().nullable(),
});

export type Message = z.output<typeof message>;
