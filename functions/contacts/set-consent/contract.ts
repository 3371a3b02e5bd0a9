import * as z from 'zod';
import { consentChannels, consentStatuses } from '../../../shared/compliance/consent.ts';
import { consent } from '../../../shared/compliance/consent-fields.ts';
import { contract } from '../../../shared/http/contract.ts';

export const setConsentContract = contract({
  summary: 'Record a consent of a contact to a channel, or its withdrawal',
  description:
    'Returns the consent that is then in force. For sms and whatsapp it is also stored with the phone: a withdrawal outlasts the contact, and a consent that is newer than the recipient’s STOP overrides that STOP. The status of the contact does not change: an unsubscribed contact stays unsubscribed, but may be messaged on a channel whose consent is newer.',
  example: { status: 'active', source: 'order form', text: 'Text me about my order.' },
  status: 200,
  path: z.object({ id: z.string(), channel: z.enum(consentChannels) }),
  body: z.object({
    status: z.enum(consentStatuses),
    source: z.string().min(1).max(200).default('admin').describe('Where the consent comes from, for example a form.'),
    text: z.string().max(2_000).nullable().default(null).describe('The wording that the contact agreed to.'),
  }),
  reply: consent,
  refuses: ['invalid_request', 'contact_not_found'],
});
