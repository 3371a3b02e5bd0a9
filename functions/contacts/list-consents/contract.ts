import * as z from 'zod';
import { consent } from '../../../shared/compliance/consent-fields.ts';
import { contract } from '../../../shared/http/contract.ts';

export const listConsentsContract = contract({
  summary: 'List the consents of a contact, current and past',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({
    current: z
      .array(consent)
      .describe(
        'What is now in force on each channel that has a history, or whose phone has a STOP: it decides about a send.',
      ),
    history: z
      .array(consent)
      .describe(
        'The recorded consents and withdrawals, newest first, with what a STOP and the last unsubscription have withdrawn: all of them, up to 2.5 MB.',
      ),
  }),
  refuses: ['contact_not_found'],
});
