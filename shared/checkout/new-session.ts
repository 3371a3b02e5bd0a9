import { Fault } from '../kit/fault.ts';
import { emptyObject, type JsonText } from '../kit/json-text.ts';
import type { Language } from '../kit/language.ts';
import type { LineItem } from './line-items.ts';
import { hostOf, isForTests } from './return-url.ts';
import type { CheckoutSession, Customer } from './session.ts';

/** Currencies that payments can be made in. */
export const currencies: readonly string[] = ['BDT'];

export const mostAmountMinor = 999_999_999_999;

/** How long a session may stay open, where its creator says so. */
export const sessionLifetimeSeconds = { least: 300, most: 86_400 } as const;

/** How many characters the texts of a session may have. */
export const longest = { description: 1_000, name: 255, email: 320, phone: 50, invoiceId: 255 } as const;

/** Of `metadata`. `verbatimBytes`: a longer text is kept in its shortest form, because the texts of a session lie in one item of the table, and an item holds 400 KB. */
export const mostMetadata = { keys: 50, keyCharacters: 40, valueCharacters: 500, verbatimBytes: 250_000 } as const;

/** The fields of a new session, each valid. */
export interface SessionWish {
  readonly amountMinor: number;
  readonly currency: string;
  readonly description?: string | undefined;
  readonly customer?: Customer | undefined;
  readonly successUrl?: string | undefined;
  readonly cancelUrl?: string | undefined;
  readonly metadata?: JsonText | undefined;
  readonly invoiceId?: string | undefined;
  readonly lineItems?: readonly LineItem[] | undefined;
  readonly locale?: Language | undefined;
  readonly expiresInSeconds?: number | undefined;
}

/** The caller and the limits of their key. */
export interface Requester {
  readonly account: { readonly id: string };
  readonly livemode: boolean;
  readonly createdWith: 'secret' | 'publishable';
  readonly limits: {
    readonly redirectHosts?: readonly string[] | undefined;
    readonly maxAmountMinor?: number | undefined;
  };
}

/**
 * A session as it begins.
 * @throws Fault `bad_request` naming each field that the caller's key does not permit, else `unsupported_currency`
 */
export const newSession = (
  wish: SessionWish,
  requester: Requester,
  { id, nowMs, lifetimeSeconds }: { readonly id: string; readonly nowMs: number; readonly lifetimeSeconds: number },
): CheckoutSession => {
  const faults = faultsOf(wish, requester);
  if (faults.length > 0) throw new Fault('bad_request', faults.join('; '));
  if (!currencies.includes(wish.currency))
    throw new Fault(
      'unsupported_currency',
      `currency: is not enabled for this merchant (allowed: ${currencies.join(', ')})`,
    );
  return {
    id,
    accountId: requester.account.id,
    status: 'OPEN',
    amountMinor: wish.amountMinor,
    currency: wish.currency,
    livemode: requester.livemode,
    createdWith: requester.createdWith,
    description: wish.description,
    customer: wish.customer ?? {},
    successUrl: wish.successUrl,
    cancelUrl: wish.cancelUrl,
    metadata: wish.metadata ?? emptyObject,
    invoiceId: wish.invoiceId,
    lineItems: wish.lineItems ?? [],
    locale: wish.locale,
    expiresMs: nowMs + (wish.expiresInSeconds ?? lifetimeSeconds) * 1_000,
    livePaymentId: undefined,
    paymentStatus: 'PENDING',
    paymentCount: 0,
    chaos: undefined,
  };
};

const faultsOf = (wish: SessionWish, { livemode, limits }: Requester): string[] => {
  const { maxAmountMinor, redirectHosts } = limits;
  const isTooMuch = maxAmountMinor !== undefined && wish.amountMinor > maxAmountMinor;
  return [
    ...(isTooMuch ? [`amountMinor: must be at most ${maxAmountMinor} with this key`] : []),
    ...(['successUrl', 'cancelUrl'] as const).flatMap((field) => {
      const url = wish[field];
      if (url === undefined) return [];
      if (livemode && isForTests(url)) return [`${field}: must be https with a live key`];
      if (redirectHosts && !redirectHosts.includes(hostOf(url)))
        return [`${field}: must have a host that this key allows`];
      return [];
    }),
  ];
};
