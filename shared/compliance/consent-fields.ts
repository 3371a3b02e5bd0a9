import * as z from 'zod';
import { consentChannels, consentStatuses } from './consent.ts';

/** A consent, or what has become of one, as operators see it. */
export const consent = z.object({
  channel: z.enum(consentChannels),
  status: z.enum(consentStatuses),
  source: z.string(),
  text: z.string().nullable(),
  by: z.enum(['operator', 'recipient']),
  at: z.string().meta({ format: 'date-time' }),
});
