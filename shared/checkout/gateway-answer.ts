/** The data of a payment for its gateway, including earlier answers. */
export interface PaymentOrder {
  readonly accountId: string;
  readonly paymentId: string;
  readonly sessionId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly description: string | undefined;
  readonly customer: { readonly name?: string; readonly email?: string; readonly phone?: string };
  readonly createdMs: number;
  /** The URL that the payer's browser returns to, by GET or POST; it contains a token of this payment. */
  readonly returnUrl: string;
  /** Where the gateway's server notifies. */
  readonly notificationUrl: string;
  /** The gateway's own name of the payment, once it has one. */
  readonly reference: string | undefined;
  /** The gateway's name of the money that moved, once it has: trxID, bank_tran_id. */
  readonly transactionId: string | undefined;
  /** Confirming (bKash's execute) has been tried: a failure that the payer's browser reports may no longer be believed. */
  readonly confirmationAttempted: boolean;
  /** A fault injected into a test session. */
  readonly chaos: Chaos | undefined;
}

export interface RefundOrder {
  readonly refundId: string;
  readonly amountMinor: number;
  readonly reason: string | undefined;
  readonly createdMs: number;
  /** The gateway's own name of the refund, once it has one. */
  readonly reference: string | undefined;
  /** The gateway's names of the payment's other refunds: none of them is this one. */
  readonly otherReferences?: readonly string[];
}

/** Test mode's extra troubles, for one session. */
export const chaosKinds = ['duplicate_notification', 'tampered_amount', 'late_success'] as const;
export type Chaos = (typeof chaosKinds)[number];

/** A gateway's answer about a payment or a refund. */
export interface GatewayAnswer {
  /** `unknown`: no usable answer; nothing may be concluded from it. */
  readonly state: 'pending' | 'succeeded' | 'failed' | 'cancelled' | 'expired' | 'unknown';
  /** The paid or refunded amount in minor units; must equal the requested one exactly. */
  readonly amountMinor?: number;
  readonly currency?: string;
  /** What the gateway says it was asked to collect for: must be our payment's id. Where a gateway takes a shorter form, its adapter gives the id back. */
  readonly paymentId?: string;
  readonly reference?: string;
  readonly transactionId?: string;
  readonly isRisky?: boolean;
  /** With `expired`: the session ends too. Used by the simulator's timeout. */
  readonly endsSession?: boolean;
  /** With `pending`: the payer has tried to pay, and the gateway has not decided: it may have the money. */
  readonly isUndecided?: boolean;
  /** With `unknown`: the same call may be made again and does nothing twice: it was never made, the gateway knows of none, or it knows ours again. Of a question about a refund: that may be asked for again. */
  readonly mayRetry?: boolean;
  /** For the payer's screen and the operator's report: the gateway's code and reason, without credentials. */
  readonly code?: string;
  readonly reason?: string;
}
