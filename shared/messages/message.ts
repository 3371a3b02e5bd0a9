import * as z from 'zod';
import { exampleId } from '../kit/id.ts';
import { JsonText } from '../kit/json-text.ts';

/** Of a batch. */
export const mostMessages = 100;
/** A message is one item of the table, and an item holds 400 KB. */
export const mostTagBytes = 50_000;
export const mostMetadataBytes = 250_000;

export const channels = ['email', 'sms', 'whatsapp'] as const;
export type Channel = (typeof channels)[number];

/** Channels of plain text, which a worker sends later. */
export const textChannels = ['sms', 'whatsapp'] as const satisfies readonly Channel[];
export type TextChannel = (typeof textChannels)[number];

/** Every status of a message (messaging specification, "Message statuses"). */
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

/** It waits, or a run hands it to its provider. */
export const isUnsent = (status: Status): boolean => status === 'queued' || status === 'sending';

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

const instant = z.string().meta({ format: 'date-time' });

/** As an answer has it. */
export const exampleMessage = {
  id: exampleId,
  channel: 'email',
  status: 'sent',
  to: 'ada@example.com',
  tags: ['receipt'],
  metadata: { orderId: '1042' },
  createdAt: '2026-11-20T12:00:00.000Z',
  sentAt: '2026-11-20T12:00:00.240Z',
  deliveredAt: null,
  failedAt: null,
  failureReason: null,
  failureCode: null,
} as const;

/** Messaging specification, "Message": the object in every endpoint and event. */
export const message = z
  .object({
    id: z.string().describe('A UUID; clients must not rely on its format.'),
    channel: z.enum(channels),
    status: z.enum(statuses),
    to: z
      .string()
      .nullable()
      .describe('The recipient as it was sent; null on a message that was not sent through the API.'),
    tags: z.array(z.string()),
    metadata: z.instanceof(JsonText).meta({
      type: 'object',
      description: 'The JSON text that was sent, unchanged; an empty object if none was sent.',
    }),
    createdAt: instant,
    scheduledAt: instant
      .optional()
      .describe('When the message is to be sent. Only messages that were sent with `sendAt` have this field.'),
    sentAt: instant.nullable().describe('Null until a provider has accepted the message.'),
    deliveredAt: instant.nullable(),
    failedAt: instant.nullable(),
    failureReason: z.string().nullable().describe('Text for humans, from the provider or the compliance gate.'),
    failureCode: z.string().nullable().describe('The code of the provider or the platform, if there is one.'),
  })
  .meta({
    id: 'Message',
    description: 'One message to one recipient.',
    examples: [exampleMessage],
  });

export type Message = z.output<typeof message>;
