import * as z from 'zod';
import { duePlace } from './due.ts';

/** The account is for the queue, so that one merchant's slow gateway keeps no other's payers waiting. The release before does not name it. */
const ofSession = z.object({ account: z.string().default('unknown'), session: z.string() });

const ids = ofSession.extend({ payment: z.string() });

/** The `status` of a payer's return: bKash's values. */
export const returnWord = z.enum(['success', 'failure', 'cancel']);

/**
 * What is to be done with a session's money: ids only, never bodies. Any job may be sent again at any time and does nothing twice. What brings
 * a payment that is PENDING further is `open` without a `redirectUrl`, else `resolve`; a refund that is PENDING, `refund`.
 */
export const paymentJob = z.discriminatedUnion('kind', [
  /** Plan the first check of a new payment. */
  ids.extend({ kind: z.literal('watch') }),
  /** Ask the gateway where the payer pays. `attempt`: the first is 1. */
  ids.extend({ kind: z.literal('open'), attempt: z.int().min(1).default(1) }),
  /**
   * Ask the gateway what has become of a payment. With `check`, it is that check for a lost callback, and the next follows. With `isPaidAgain`,
   * the gateway speaks of other money than that of a payment that has succeeded or is held, so that one is asked about too; and so is one whose money
   * is another than `paid` by now, the transaction that the gateway speaks of: until it says what became of that. With `isPoll`, a page or a
   * server waits for it, and asks again soon.
   */
  ids.extend({
    kind: z.literal('resolve'),
    check: z.int().min(0).optional(),
    isPaidAgain: z.boolean().optional(),
    paid: z.string().optional(),
    isPoll: z.boolean().optional(),
  }),
  /** The payer has returned, with an untrusted status: confirm once what they may have approved. */
  ids.extend({
    kind: z.literal('confirm'),
    returned: returnWord.optional(),
    /** When they did. The release before does not say so. */
    returnedMs: z.int().optional(),
    attempt: z.int().min(1).default(1),
    /** The token of the claim whose outcome it follows. Where another run has taken one since, that run goes on. */
    claim: z.string().optional(),
  }),
  /** Make a refund, or query its status. With `check`, it is that check. */
  ofSession.extend({
    kind: z.literal('refund'),
    refund: z.string(),
    check: z.int().min(0).optional(),
  }),
  /** A session's time is up. */
  ofSession.extend({ kind: z.literal('expire') }),
  /** Do what is due: in all places of the index, each minute, or in one place. */
  z.object({ kind: z.literal('sweep'), place: duePlace.optional() }),
]);

export type PaymentJob = z.output<typeof paymentJob>;
export type PaymentJobOf<Kind extends PaymentJob['kind']> = Extract<PaymentJob, { readonly kind: Kind }>;
