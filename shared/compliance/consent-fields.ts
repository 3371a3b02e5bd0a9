import * as z from 'zod';
import { consentChannels, consentSpeakers, consentStatuses } from './consent.ts';

/** A consent, or its withdrawal, as operators see it. */
export const consent = z
  .object({
    channel: z.enum(consentChannels),
    status: z.enum(consentStatuses),
    source: z.string(),
    text: z.string().nullable(),
    by: z.enum(consentSpeakers).describe('`platform`: withdrawn automatically, because the contact’s phone changed.'),
    at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'Consent', description: 'A consent, or its withdrawal.' });
