import { digestOf } from '../kit/digest.ts';
import type { Chaos } from './chaos.ts';
import type { Claim } from './claim.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import type { FoundSession, PaymentStatus } from './session.ts';

/** What happened to money beyond the plain course, for those who review it. */
export const paymentMarks = [
  /** The gateway reported another amount, currency or payment, or calls it risky: PENDING outside, until a person has looked. */
  'held',
  /** It succeeded after another payment or after its session had ended: refunded automatically, without an event. */
  'surplus',
  /** It completed a session that had expired, because the account wants that. */
  'late',
  /** The payer gave it up. */
  'cancelled',
] as const;
export type PaymentMark = (typeof paymentMarks)[number];

/** A gateway's report of money: the parts that must equal the request or identify the transfer. */
export const reportedBy = ({ amountMinor, currency, paymentId, reference, transactionId, isRisky }: GatewayAnswer) => ({
  amountMinor,
  currency,
  paymentId,
  reference,
  transactionId,
  isRisky,
});

/** The decisions of a review. */
export const reviewDecisions = [
  /** The right money is there. */
  'accept',
  /** Other money is there, and goes back. */
  'refund',
  /** No money is there. */
  'reject',
] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

/** One attempt to pay a session. */
export interface Payment {
  readonly id: string;
  readonly sessionId: string;
  readonly accountId: string;
  readonly acceptanceMethodId: string;
  readonly gatewayCode: string;
  /** What its method was called when it began; undefined for a payment of the release before. */
  readonly displayLabel: string | undefined;
  readonly livemode: boolean;
  readonly status: PaymentStatus;
  readonly mark: PaymentMark | undefined;
  readonly amountMinor: number;
  readonly currency: string;
  /** The refundable amount in minor units; 0 until it has succeeded. */
  readonly refundableMinor: number;
  /** Unguessable; part of the address that the payer's browser returns to. */
  readonly returnToken: string;
  /** The gateway's payment URL, when it has returned one. */
  readonly redirectUrl: string | undefined;
  readonly reference: string | undefined;
  readonly transactionId: string | undefined;
  /** Taken by the run that has it confirmed; it stays once that may have happened. */
  readonly confirmationClaim: Claim | undefined;
  /**
   * The payer's return for which its confirmation was last attempted, or the check that took the attempts up again. They go on for about 25 minutes.
   */
  readonly returnedMs: number | undefined;
  /** How many confirmations the gateway did not know of a minute later. It may have been slow. */
  readonly lostConfirmations: number;
  readonly chaos: Chaos | undefined;
  /** When the gateway was last asked by a status poll. */
  readonly polledMs: number | undefined;
  /** When the gateway last notified us that it is paid, or paid again, which only its answer to a query proves. */
  readonly reportedPaidMs: number | undefined;
  /** Digests of the latest transactions that the gateway has notified us of as paid, each queried then. */
  readonly reportedPaid: ReadonlySet<string>;
  /** The gateway's last answer, in short. */
  readonly lastAnswer:
    | {
        readonly state: string;
        readonly code?: string;
        readonly reason?: string;
        /** What it is held for. */
        readonly reported?: ReturnType<typeof reportedBy>;
        readonly at: string;
      }
    | undefined;
  /** The decision of an owner or an operator on a held payment. */
  readonly review:
    | {
        readonly decision: ReviewDecision;
        readonly reason?: string;
        readonly amountMinor?: number;
        readonly at: string;
      }
    | undefined;
  readonly createdMs: number;
}

/** A transaction as `reportedPaid` has it. */
export const paidDigest = ({ id }: Pick<Payment, 'id'>, transactionId: string): string =>
  digestOf(`${id}\n${transactionId}`);

/** Whether confirming was tried, so the gateway may have the money: a run is at it, or its gateway did not know of it, and may have been slow. */
export const isConfirmationTried = ({
  confirmationClaim,
  lostConfirmations,
}: Pick<Payment, 'confirmationClaim' | 'lostConfirmations'>): boolean =>
  confirmationClaim !== undefined || lostConfirmations > 0;

/** A payment as logs name it. */
export const idsOf = ({ accountId, sessionId, id }: Payment) => ({ accountId, sessionId, paymentId: id });

/** A payment with its session. They are read in one call, and not in one moment: one may be from before a change of both. */
export interface FoundPayment extends FoundSession {
  readonly payment: Payment;
}
