import * as z from 'zod';
import { exampleId } from '../kit/id.ts';

export const creditCounters = ['email', 'smsMasked', 'smsNonMasked'] as const;
export type CreditCounter = (typeof creditCounters)[number];

/** The maximum of a counter. */
export const mostCredits = 1_000_000_000_000;

const counter = z.int().min(0).max(mostCredits);

/** The remaining credits: one per email recipient, one per sms segment from the counter of the sender's kind. */
export const credits = z
  .object({ email: counter, smsMasked: counter, smsNonMasked: counter })
  .meta({ examples: [{ email: 10_000, smsMasked: 500, smsNonMasked: 0 }] });

export type Credits = z.output<typeof credits>;

const change = z.int().min(-mostCredits).max(mostCredits);

/** The change of each counter. */
export const creditChange = z.object({ email: change, smsMasked: change, smsNonMasked: change });

export type CreditChange = z.output<typeof creditChange>;

/** Builds a value for each counter. */
export const eachCounter = <T>(amountOf: (counter: CreditCounter) => T): Record<CreditCounter, T> => ({
  email: amountOf('email'),
  smsMasked: amountOf('smsMasked'),
  smsNonMasked: amountOf('smsNonMasked'),
});

/** A change of credits. After the stream is read, all entries add up to the credits. */
export const ledgerEntry = creditChange
  .extend({
    id: z.string(),
    at: z.string().meta({ format: 'date-time' }).describe('For `sends`: the beginning of the hour.'),
    kind: z
      .enum(['sends', 'adjustment', 'set'])
      .describe(
        '`sends`: the cost of the messages accepted in one hour, less the credits returned for those not sent. `adjustment`: credits added or subtracted by an operator. `set`: the change that a PUT made.',
      ),
    who: z.string().nullable().describe('The operator; null for `sends`.'),
    reason: z.string().nullable(),
  })
  .meta({
    id: 'LedgerEntry',
    description: 'A change of the credits. A negative number was subtracted from its counter.',
    examples: [
      {
        id: exampleId,
        at: '2026-11-20T12:00:00.000Z',
        kind: 'adjustment',
        email: 5_000,
        smsMasked: 0,
        smsNonMasked: -20,
        who: 'arn:aws:iam::123456789012:user/ada',
        reason: 'Invoice 1042',
      },
    ],
  });

export type LedgerEntry = z.output<typeof ledgerEntry>;
