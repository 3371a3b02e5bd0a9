import * as z from 'zod';
import { consent } from '../../../shared/compliance/consent-fields.ts';
import { contract } from '../../../shared/http/contract.ts';

export const listConsentsContract = contract({
  summary: 'List the consents of a contact, current and past',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.object({
    current: z.array(consent).describe('The consent now in force, for each channel that has a history.'),
    history: z.array(consent).describe('Every recorded consent and withdrawal, newest first.'),
  }),
  refuses: ['contact_not_found'],
});
