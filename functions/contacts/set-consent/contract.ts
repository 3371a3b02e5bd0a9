import * as z from 'zod';
import { consentChannels, consentStatuses } from '../../../shared/compliance/consent.ts';
import { consent } from '../../../shared/compliance/consent-fields.ts';
import { contract } from '../../../shared/http/contract.ts';

export const setConsentContract = contract({
  summary: 'Record that a contact has consented to a channel, or has withdrawn its consent',
  description:
    'Answers the consent that stands afterwards. Of sms and whatsapp it is kept with the phone too: a withdrawal outlasts the contact, and what is newer than the recipient’s STOP lifts that. The status of the contact stays as it is: one that is unsubscribed has none.',
  example: { status: 'active', source: 'order form', text: 'Text me about my order.' },
  status: 200,
  path: z.object({ id: z.string(), channel: z.enum(consentChannels) }),
  body: z.object({
    status: z.enum(consentStatuses),
    source: z
      .string()
      .min(1)
      .max(200)
      .default('admin')
      .describe('Where it comes from, such as the form that was filled in.'),
    text: z.string().max(2_000).nullable().default(null).describe('The words that it was given in.'),
  }),
  reply: consent,
  refuses: ['invalid_request', 'contact_not_found'],
});
