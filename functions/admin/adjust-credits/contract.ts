import * as z from 'zod';
import { creditChange, creditCounters, credits } from '../../../shared/accounts/credits.ts';
import { contract } from '../../../shared/http/contract.ts';

const isGiven = (body: Partial<Record<string, unknown>>): boolean =>
  creditCounters.some((counter) => body[counter] !== undefined);

export const adjustCreditsContract = contract({
  summary: 'Add credits to an account or remove them',
  description:
    'Each number is added to its counter; a negative number is subtracted. Either all counters change or none: 409 if one would fall below zero. Send an `Idempotency-Key`, so that a repeated request changes the counters once.',
  example: { email: 5_000, smsNonMasked: -20, reason: 'Invoice 1042' },
  status: 200,
  path: z.object({ id: z.string() }),
  body: creditChange
    .partial()
    .extend({ reason: z.string().trim().min(1).max(500).optional() })
    .refine(isGiven, { path: [creditCounters.join(' or ')], error: 'at least one is required' })
    .describe('At least one of email, smsMasked and smsNonMasked.'),
  reply: credits.describe('The counters after the change.'),
  isReplayable: true,
  refuses: ['invalid_request', 'account_not_found', 'conflict', 'idempotency_conflict'],
  refusesWhen: { conflict: 'A credit counter would leave its range.' },
});
