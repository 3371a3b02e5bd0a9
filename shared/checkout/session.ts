import type { AccountRef } from '../kit/account-ref.ts';
import type { JsonText } from '../kit/json-text.ts';
import type { Language } from '../kit/language.ts';
import type { Chaos } from './chaos.ts';
import type { LineItem } from './line-items.ts';

export const sessionStatuses = ['OPEN', 'COMPLETED', 'EXPIRED'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export const paymentStatuses = ['PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export interface Customer {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
}

/** A checkout session as it is kept. */
export interface CheckoutSession {
  readonly id: string;
  readonly accountId: string;
  /** The stored status; `statusAt` gives the current one. */
  readonly status: SessionStatus;
  readonly amountMinor: number;
  readonly currency: string;
  readonly livemode: boolean;
  readonly createdWith: 'secret' | 'publishable';
  readonly description: string | undefined;
  readonly customer: Customer;
  readonly successUrl: string | undefined;
  readonly cancelUrl: string | undefined;
  /** A map of strings. */
  readonly metadata: JsonText;
  readonly invoiceId: string | undefined;
  /** Empty: the session was created without. */
  readonly lineItems: readonly LineItem[];
  /** The language of its page, unless the payer chooses another, and of its receipt. */
  readonly locale: Language | undefined;
  /** When it expires unless a payment is under way then, in milliseconds since 1970. */
  readonly expiresMs: number;
  /** The payment under way, for which the session waits, if there is one. It has nothing to do with `livemode`. */
  readonly livePaymentId: string | undefined;
  /** Of the latest payment; PENDING before any. */
  readonly paymentStatus: PaymentStatus;
  /** How many payments have been begun. */
  readonly paymentCount: number;
  /** Faults injected into its payments; in test mode only. */
  readonly chaos: Chaos | undefined;
}

/** A session, and whose data it is. */
export interface FoundSession {
  readonly account: AccountRef;
  readonly session: CheckoutSession;
}
