import * as z from 'zod';
import { consent } from '../../../shared/compliance/consent-fields.ts';
import { contract } from '../../../shared/http/contract.ts';

export const listConsentsContract = contract({
  summary: 'Show what a contact has consented to, now and over time',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({
    current: z.array(consent).describe('What stands, for each channel that anything was ever said of.'),
    history: z.array(consent).describe('All that was ever said, the latest first.'),
  }),
  refuses: ['contact_not_found'],
});
