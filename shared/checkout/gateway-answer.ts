/** All that a gateway is told of a payment, and all that it has told us. */
export interface PaymentOrder {
  readonly paymentId: string;
  readonly sessionId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly description: string | undefined;
  readonly customer: { readonly name?: string; readonly email?: string; readonly phone?: string };
  readonly createdMs: number;
  /** Where the payer's browser comes back to, by GET or POST; it holds a token of this payment alone. */
  readonly returnUrl: string;
  /** Where the gateway's server notifies. */
  readonly notificationUrl: string;
  /** The gateway's own name of the payment, once it has one. */
  readonly reference: string | undefined;
  /** The gateway's name of the money that moved, once it has: trxID, bank_tran_id. */
  readonly transactionId: string | undefined;
  /** Confirming (bKash's execute) has been tried: a failure that the payer's browser reports may no longer be believed. */
  readonly confirmationAttempted: boolean;
  /** What an operator has set to happen to a session of the simulator. */
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

/** What a gateway says of a payment or a refund, as far as it concerns us. */
export interface GatewayAnswer {
  /** `unknown`: no usable answer; nothing may be concluded from it. */
  readonly state: 'pending' | 'succeeded' | 'failed' | 'cancelled' | 'expired' | 'unknown';
  /** What was paid or refunded, in minor units; must equal what was asked, to the unit. */
  readonly amountMinor?: number;
  readonly currency?: string;
  /** What the gateway says it was asked to collect for: must be our payment's id. Where a gateway takes a shorter form, its adapter gives the id back. */
  readonly paymentId?: string;
  readonly reference?: string;
  readonly transactionId?: string;
  readonly isRisky?: boolean;
  /** With `expired`: nobody may try again either. The simulator's time-out is so. */
  readonly endsSession?: boolean;
  /** With `unknown`: the same call may be made again and does nothing twice: it was never made, the gateway knows of none, or it knows ours again. */
  readonly mayAskAgain?: boolean;
  /** For the payer's screen and the operator's report: the gateway's code and words, without credentials. */
  readonly code?: string;
  readonly reason?: string;
}
