import * as z from 'zod';
import { consentChannels, consentSpeakers, consentStatuses } from './consent.ts';

/** A consent, or its withdrawal, as the admin API shows it. */
export const consent = z
  .object({
    channel: z.enum(consentChannels),
    status: z.enum(consentStatuses),
    source: z.string(),
    text: z.string().nullable(),
    by: z.enum(consentSpeakers).describe('`platform`: withdrawn automatically, because the contact’s phone changed.'),
    at: z.string().meta({ format: 'date-time' }),
  })
  .meta({
    id: 'Consent',
    description: 'A consent, or its withdrawal.',
    examples: [
      {
        channel: 'sms',
        status: 'active',
        source: 'order form',
        text: 'Text me about my order.',
        by: 'operator',
        at: '2026-11-20T12:00:00.000Z',
      },
    ],
  });
