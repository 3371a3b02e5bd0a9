import { isWorthAsking } from '../../checkout/checks.ts';
import { firstSweepMs } from '../../checkout/due.ts';
import type { FoundPayment, Payment } from '../../checkout/payment.ts';
import type { CheckoutSession } from '../../checkout/session.ts';
import type { Settlement } from '../../checkout/settlement.ts';
import type { Cipher } from '../../kit/cipher.ts';
import { openKeyOf } from '../accounts/stranded-store.ts';
import { itemKeys } from '../keys.ts';
import type { Write } from '../table.ts';
import { putNew } from '../writes.ts';
import { refundItem, sealedOutcome } from './checkout-items.ts';
import { sameClaim } from './checkout-writes.ts';
import { refundPointer } from './listings.ts';

/** A payment, its session and an automatic refund, changed in one transaction. Each condition holds only if the item is as it was read. */
export const settlementWrites = (
  cipher: Cipher,
  { account, session, payment }: FoundPayment,
  settlement: Settlement,
): Write[] => [
  paymentWrite(payment, settlement.payment, sealedOutcome(cipher, payment, settlement.payment)),
  ...(settlement.session ? [sessionWrite(session, settlement.session)] : []),
  ...(settlement.refund
    ? [putNew(refundItem(account, cipher, settlement.refund)), putNew(refundPointer(settlement.refund, payment))]
    : []),
];

/**
 * Holds only if the payment was not settled since it was read, no confirmation of it was claimed or released and, unless it has succeeded, its gateway
 * has not reported it paid.
 */
const paymentWrite = (before: Payment, after: Settlement['payment'], outcome: Uint8Array): Write => ({
  Update: {
    Key: itemKeys.payment(before.sessionId, before.id),
    UpdateExpression: `SET #status = :status, refundableMinor = :refundable, outcome = :outcome${after.mark ? ', #mark = :mark' : ''}${dueAgain(before, after).change}${removal({ ...before, ...after })}`,
    ConditionExpression: `#status = :before AND ${before.mark ? '#mark = :markBefore' : 'attribute_not_exists(#mark)'} AND ${sameClaim(before.confirmationClaim).condition} AND ${sameReport(before, after).condition}`,
    ExpressionAttributeNames: { '#status': 'status', '#mark': 'mark' },
    ExpressionAttributeValues: {
      ':status': after.status,
      ':refundable': after.refundableMinor,
      ':outcome': outcome,
      ':before': before.status,
      ...sameClaim(before.confirmationClaim).values,
      ...sameReport(before, after).values,
      ...(after.mark && { ':mark': after.mark }),
      ...(before.mark && { ':markBefore': before.mark }),
      ...dueAgain(before, after).values,
    },
  },
});

const sameReport = ({ reportedPaidMs }: Payment, { status }: Settlement['payment']) => {
  if (status === 'SUCCEEDED') return { condition: 'attribute_exists(PK)', values: {} };
  return reportedPaidMs === undefined
    ? { condition: 'attribute_not_exists(reportedPaidMs)', values: {} }
    : { condition: 'reportedPaidMs = :reported', values: { ':reported': reportedPaidMs } };
};

/** A held payment is not asked about. One that its review has rejected is again, as any that failed: its payer may still pay. */
const dueAgain = (before: Payment, after: Settlement['payment']) => {
  if (before.mark !== 'held' || !isWorthAsking({ ...before, ...after })) return { change: '', values: {} };
  const { GSI1PK, GSI1SK } = openKeyOf('payment', before.id, firstSweepMs('payment', before.createdMs));
  return { change: ', GSI1PK = :duePlace, GSI1SK = :due', values: { ':duePlace': GSI1PK, ':due': GSI1SK } };
};

/** A payment that no check can change any more leaves the index of what is due. */
const removal = (payment: Payment): string => {
  const gone = [...(payment.mark ? [] : ['#mark']), ...(isWorthAsking(payment) ? [] : ['GSI1PK', 'GSI1SK'])];
  return gone.length > 0 ? ` REMOVE ${gone.join(', ')}` : '';
};

/** Holds only if the session still waits for the payment that it waited for when it was read. */
const sessionWrite = (before: CheckoutSession, after: NonNullable<Settlement['session']>): Write => ({
  Update: {
    Key: itemKeys.checkoutSession(before.id),
    UpdateExpression: `SET #status = :status, paymentStatus = :paymentStatus REMOVE livePaymentId${after.status === 'OPEN' ? '' : ', GSI1PK, GSI1SK'}`,
    ConditionExpression: `#status = :before AND ${before.livePaymentId === undefined ? 'attribute_not_exists(livePaymentId)' : 'livePaymentId = :live'}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': after.status,
      ':paymentStatus': after.paymentStatus,
      ':before': before.status,
      ...(before.livePaymentId !== undefined && { ':live': before.livePaymentId }),
    },
  },
});
