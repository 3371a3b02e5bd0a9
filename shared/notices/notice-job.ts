import * as z from 'zod';
import { paymentMarks } from '../checkout/payment.ts';
import { refundStatuses } from '../checkout/refund.ts';
import { paymentStatuses } from '../checkout/session.ts';

const change = z.object({
  account: z.string(),
  /** When the item changed, to the second: set by the outbox. */
  atMs: z.int(),
});

const payment = change.extend({
  session: z.string(),
  payment: z.string(),
  /** The payment's mark after the change: nobody gets a receipt for a `surplus`, which is refunded. */
  mark: z.enum(paymentMarks).optional(),
});

/** An event for the merchant's subscriptions. */
const eventNotice = z.discriminatedUnion('kind', [
  /** A payment has ended. */
  payment.extend({ kind: z.literal('payment'), status: z.enum(paymentStatuses) }),
  /** A refund has ended. */
  change.extend({
    kind: z.literal('refund'),
    session: z.string(),
    refund: z.string(),
    status: z.enum(refundStatuses),
    /** It refunds surplus money: the merchant gets no webhook. */
    isAutomatic: z.boolean(),
  }),
  /** A session has expired. */
  change.extend({ kind: z.literal('session'), session: z.string() }),
]);

/** A mail to a person. */
const mailNotice = z.discriminatedUnion('kind', [
  /** A payment has succeeded: a receipt for the payer. */
  payment.extend({ kind: z.literal('receipt') }),
  /** A subscription was paused: a mail to the account's admins. */
  change.extend({ kind: z.literal('pause'), webhook: z.string() }),
  /** Someone asked to sign in: a mail with a link, to those who are known. `place`: the partition key of the request. */
  z.object({ kind: z.literal('sign-in'), place: z.string(), atMs: z.int() }),
  /** A person was made a member of an account: a mail to them. `PK`, `SK`: the key of the membership. */
  change.extend({ kind: z.literal('invitation'), PK: z.string(), SK: z.string() }),
]);

/** What a notice is about. Ids, status and times only: its handler reads the rest. A notice may be delivered twice, and has an effect once. */
export const noticeJob = z.discriminatedUnion('kind', [eventNotice, mailNotice]);

export type EventNotice = z.output<typeof eventNotice>;
export type MailNotice = z.output<typeof mailNotice>;
export type NoticeJob = z.output<typeof noticeJob>;
export type NoticeJobOf<Kind extends NoticeJob['kind']> = Extract<NoticeJob, { readonly kind: Kind }>;
