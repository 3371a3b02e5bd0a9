import type { Chaos } from '../../checkout/chaos.ts';
import type { Claim } from '../../checkout/claim.ts';
import { firstSweepMs } from '../../checkout/due.ts';
import type { Payment, PaymentMark } from '../../checkout/payment.ts';
import type { Refund, RefundStatus } from '../../checkout/refund.ts';
import type { CheckoutSession, Customer, PaymentStatus, SessionStatus } from '../../checkout/session.ts';
import type { Settlement } from '../../checkout/settlement.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { timeOfId } from '../../kit/id.ts';
import { emptyObject, JsonText, jsonOf, parseJson } from '../../kit/json-text.ts';
import { openKeyOf } from '../accounts/stranded-store.ts';
import { type ItemKey, itemKeys, keyIn } from '../keys.ts';
import { optionalNumber, optionalText } from '../optional.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item } from '../table.ts';

// Values that are counted, compared or filtered are plain: states, amounts, ids. All others may be personal or secret, and are encrypted.

const seal = (cipher: Cipher, key: ItemKey, field: string, value: unknown): Uint8Array =>
  cipher.seal(sealedPlace(key, field), jsonOf(value));

/** Decrypts a value of `seal`; undefined stays undefined. */
const open = <T extends object>(cipher: Cipher, item: Item, field: string): Partial<T> => {
  const sealed = item[field];
  return sealed === undefined ? {} : (parseJson(cipher.open(sealedPlace(keyIn(item), field), sealed)) as T);
};

const owned = ({ id, sealedKey }: AccountRef) => ({ account: id, sealedKey });

/** `Metadata`: JSON text where it is written, and an object where it is read. */
type Details<Metadata> = Pick<CheckoutSession, 'description' | 'successUrl' | 'cancelUrl' | 'invoiceId' | 'locale'> & {
  readonly lineItems: CheckoutSession['lineItems'] | undefined;
  readonly customer: Customer;
  readonly metadata: Metadata;
};

/** How long a session without a payment attempt is kept after its expiry. */
const untouchedMs = 30 * 24 * 3_600_000;

/** The texts of a session, encrypted for its row, wherever they lie. */
export const sealedSessionDetails = (cipher: Cipher, session: CheckoutSession): Uint8Array => {
  const { id, description, customer, successUrl, cancelUrl, metadata, invoiceId, lineItems: items, locale } = session;
  const lineItems = items.length > 0 ? items : undefined;
  const texts = { description, customer, successUrl, cancelUrl, metadata, invoiceId };
  const details: Details<JsonText> = { ...texts, lineItems, locale };
  return seal(cipher, itemKeys.checkoutSession(id), 'details', details);
};

/** The texts of a session lie in its row up to this size: with its keys and states, the row then stays under 2 KB. */
const mostInRow = 1_000;

/**
 * A new session: its row, and the item beside it for texts that are too large. Payments rewrite the row, and its copy in an index partition that
 * all accounts share.
 */
export const sessionItems = (account: AccountRef, cipher: Cipher, session: CheckoutSession) => {
  const { id, status, paymentStatus, amountMinor, currency, livemode, createdWith, expiresMs } = session;
  const details = sealedSessionDetails(cipher, session);
  const isLarge = details.length > mostInRow;
  const row: Item = {
    ...itemKeys.checkoutSession(id),
    ...openKeyOf('checkoutSession', id, expiresMs),
    entity: 'checkout-session',
    ...owned(account),
    session: id,
    // Removed when a payment begins: a session without an attempt is deleted in time.
    expiresAt: Math.ceil((expiresMs + untouchedMs) / 1_000),
    status,
    paymentStatus,
    amountMinor,
    currency,
    livemode,
    createdWith,
    expiresMs,
    livePaymentId: session.livePaymentId,
    chaos: session.chaos,
    // Stored as `payments`: items from before have this name.
    payments: session.paymentCount,
    details: isLarge ? undefined : details,
  };
  const beside: Item | undefined = isLarge
    ? { ...itemKeys.sessionBody(id), entity: 'checkout-session-body', account: account.id, session: id, details }
    : undefined;
  return { row, beside };
};

/** Where the texts of a session lie that its row does not have; undefined when it has them. */
export const bodyKeyOf = ({ session, details }: Item): ItemKey | undefined =>
  details === undefined ? itemKeys.sessionBody(String(session)) : undefined;

/** What a session's row always has. */
export const sessionStateFrom = (row: Item) => ({
  id: String(row['session']),
  accountId: String(row['account']),
  status: row['status'] as SessionStatus,
  paymentStatus: row['paymentStatus'] as PaymentStatus,
  amountMinor: Number(row['amountMinor']),
  currency: String(row['currency']),
  livemode: row['livemode'] === true,
  createdWith: row['createdWith'] as CheckoutSession['createdWith'],
  expiresMs: Number(row['expiresMs']),
  livePaymentId: optionalText(row['livePaymentId']),
  paymentCount: Number(row['payments']),
  chaos: row['chaos'] as Chaos | undefined,
});

/** A session from its row, and from the item beside it where the row is without texts. */
export const sessionFrom = (cipher: Cipher, row: Item, body: Item = row): CheckoutSession => {
  const place = itemKeys.checkoutSession(String(row['session']));
  const details = open<Details<object>>(cipher, { ...place, details: body['details'] }, 'details');
  return {
    ...sessionStateFrom(row),
    description: details.description,
    customer: details.customer ?? {},
    successUrl: details.successUrl,
    cancelUrl: details.cancelUrl,
    metadata: details.metadata ? JsonText.of(details.metadata) : emptyObject,
    invoiceId: details.invoiceId,
    lineItems: details.lineItems ?? [],
    locale: details.locale,
  };
};

const claimIn = ({ claim, claimedUntil }: Item): Claim | undefined =>
  claim === undefined ? undefined : { token: String(claim), untilMs: Number(claimedUntil) };

type Opened = { readonly redirectUrl: string; readonly reference: string };
type Outcome = Pick<Payment, 'reference' | 'transactionId' | 'lastAnswer' | 'review'>;

export const paymentItem = (account: AccountRef, cipher: Cipher, payment: Payment): Item => {
  const { id, sessionId } = payment;
  const key = itemKeys.payment(sessionId, id);
  return {
    ...key,
    ...(payment.status === 'PENDING' && openKeyOf('payment', id, firstSweepMs('payment', payment.createdMs))),
    entity: 'payment',
    ...owned(account),
    session: sessionId,
    payment: id,
    acceptanceMethodId: payment.acceptanceMethodId,
    gatewayCode: payment.gatewayCode,
    livemode: payment.livemode,
    status: payment.status,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    refundableMinor: payment.refundableMinor,
    chaos: payment.chaos,
    returnToken: seal(cipher, key, 'returnToken', { returnToken: payment.returnToken }),
    label: seal(cipher, key, 'label', { displayLabel: payment.displayLabel }),
  };
};

/** Where the payer pays, sealed for its payment's item. */
export const sealedOpening = (cipher: Cipher, { id, sessionId }: Payment, opened: Opened): Uint8Array =>
  seal(cipher, itemKeys.payment(sessionId, id), 'opened', opened);

/** The gateway's answer and the review's result, encrypted for the payment's item. */
export const sealedOutcome = (
  cipher: Cipher,
  { id, sessionId }: Payment,
  { reference, transactionId, lastAnswer, review }: Settlement['payment'],
): Uint8Array => {
  const outcome: Outcome = { reference, transactionId, lastAnswer, review };
  return seal(cipher, itemKeys.payment(sessionId, id), 'outcome', outcome);
};

export const paymentFrom = (cipher: Cipher, item: Item): Payment => {
  const id = String(item['payment']);
  const opened = open<Opened>(cipher, item, 'opened');
  const outcome = open<Outcome>(cipher, item, 'outcome');
  return {
    id,
    sessionId: String(item['session']),
    accountId: String(item['account']),
    acceptanceMethodId: String(item['acceptanceMethodId']),
    gatewayCode: String(item['gatewayCode']),
    displayLabel: open<{ displayLabel: string }>(cipher, item, 'label').displayLabel,
    livemode: item['livemode'] === true,
    status: item['status'] as PaymentStatus,
    mark: item['mark'] as PaymentMark | undefined,
    amountMinor: Number(item['amountMinor']),
    currency: String(item['currency']),
    refundableMinor: Number(item['refundableMinor']),
    returnToken: open<{ returnToken: string }>(cipher, item, 'returnToken').returnToken ?? '',
    redirectUrl: opened.redirectUrl,
    reference: opened.reference ?? outcome.reference,
    transactionId: outcome.transactionId,
    confirmationClaim: claimIn(item),
    returnedMs: optionalNumber(item['returnedMs']),
    lostConfirmations: optionalNumber(item['lostConfirmations']) ?? 0,
    chaos: item['chaos'] as Chaos | undefined,
    polledMs: optionalNumber(item['polledMs']),
    reportedPaidMs: optionalNumber(item['reportedPaidMs']),
    reportedPaid: (item['reportedPaid'] ?? new Set()) as ReadonlySet<string>,
    lastAnswer: outcome.lastAnswer,
    review: outcome.review,
    createdMs: timeOfId(id),
  };
};

type RefundDetails = Pick<Refund, 'reason' | 'reference' | 'failureReason'>;

/** The texts of a refund, encrypted for its item. */
export const sealedRefundDetails = (
  cipher: Cipher,
  { id, sessionId }: Pick<Refund, 'id' | 'sessionId'>,
  { reason, reference, failureReason }: RefundDetails,
): Uint8Array => seal(cipher, itemKeys.refund(sessionId, id), 'details', { reason, reference, failureReason });

export const refundItem = (account: AccountRef, cipher: Cipher, refund: Refund): Item => ({
  ...itemKeys.refund(refund.sessionId, refund.id),
  ...(refund.status === 'PENDING' && openKeyOf('refund', refund.id, firstSweepMs('refund', refund.createdMs))),
  entity: 'refund',
  ...owned(account),
  session: refund.sessionId,
  payment: refund.paymentId,
  refund: refund.id,
  amountMinor: refund.amountMinor,
  currency: refund.currency,
  status: refund.status,
  isAutomatic: refund.isAutomatic,
  details: sealedRefundDetails(cipher, refund, refund),
});

export const refundFrom = (cipher: Cipher, item: Item): Refund => {
  const id = String(item['refund']);
  const details = open<RefundDetails>(cipher, item, 'details');
  return {
    id,
    paymentId: String(item['payment']),
    sessionId: String(item['session']),
    accountId: String(item['account']),
    amountMinor: Number(item['amountMinor']),
    currency: String(item['currency']),
    status: item['status'] as RefundStatus,
    reason: details.reason,
    isAutomatic: item['isAutomatic'] === true,
    claim: claimIn(item),
    wasRequested: item['wasRequested'] === true,
    reference: details.reference,
    failureReason: details.failureReason,
    createdMs: timeOfId(id),
  };
};
