import type { AccountRef } from '../kit/account-ref.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import type { PaymentOrder, RefundOrder } from './order.ts';
import type { Payment } from './payment.ts';

/** What came of asking a gateway to begin a payment. */
export type Opening =
  /** The payer pays there. `reference`: the gateway's own name of the payment, for all later calls. */
  | { readonly kind: 'opened'; readonly redirectUrl: string; readonly reference: string }
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string }
  /** The payer was not charged: they have not been to the gateway. */
  | { readonly kind: 'unavailable' };

/** A hint that something has happened to a payment. It is never the truth: the gateway is asked. */
export interface GatewayHint {
  /** Whose payment it claims to be about, in the gateway's words or in ours. */
  readonly reference: string;
  /** The gateway's name of the money that it speaks of. */
  readonly transactionId: string;
  /** It says that the money was paid. */
  readonly isPaid: boolean;
  readonly isGenuine: boolean;
}

export type Parameters = Readonly<Record<string, string>>;

/** The port to payment gateways: an adapter speaks one gateway's API with one account's credentials. Nothing here throws for what the gateway or the network does, and no URL with credentials is logged. */
export interface GatewayAdapter {
  create(order: PaymentOrder): Promise<Opening>;
  /** What a payer's return makes possible: bKash executes, others only answer. Made by the run that has the claim. */
  confirm(order: PaymentOrder, parameters: Parameters): Promise<GatewayAnswer>;
  query(order: PaymentOrder): Promise<GatewayAnswer>;
  refund(order: PaymentOrder, refund: RefundOrder): Promise<GatewayAnswer>;
  queryRefund(order: PaymentOrder, refund: RefundOrder): Promise<GatewayAnswer>;
  parseNotification(headers: Readonly<Record<string, string | undefined>>, rawBody: string): GatewayHint | undefined;
}

/** Finds the adapter for a payment's gateway, with the account's credentials. Undefined: the account has no method for it any more. */
export type FindAdapter<Method extends keyof GatewayAdapter = keyof GatewayAdapter> = (
  account: AccountRef,
  payment: Pick<Payment, 'gatewayCode' | 'acceptanceMethodId'>,
) => Promise<Pick<GatewayAdapter, Method> | undefined>;
