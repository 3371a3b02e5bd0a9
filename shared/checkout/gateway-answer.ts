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
  /** Of a question about a refund: the gateway lists none that may be ours. Its list may be late, so that proves nothing soon after the request. */
  readonly isUnlisted?: boolean;
  /** For the payer's screen and the operator's report: the gateway's code and reason, without credentials. */
  readonly code?: string;
  readonly reason?: string;
}
