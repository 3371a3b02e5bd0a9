import * as z from 'zod';
import { refundRecord } from '../../../shared/checkout/refund-record.ts';
import { replayMark } from '../../../shared/checkout/replay-mark.ts';
import { refundWish } from '../../../shared/checkout/request-refund.ts';
import { contract } from '../../../shared/http/contract.ts';

export const createRefundContract = contract({
  summary: 'Refund a payment of any account, in full or in part',
  description:
    'The gateway is called after the response; the event refund.succeeded or refund.failed reports the result. More than the payment’s balance is a 409 `payment_not_refundable`, which is `conflict` with a secret key. Repeating an `Idempotency-Key` does not create a second refund of the payment.',
  example: { amountMinor: 250_000, reason: 'One of two items was returned.' },
  status: 201,
  path: z.object({ paymentId: z.string() }),
  body: refundWish,
  reply: refundRecord,
  headers: replayMark,
  isReplayable: true,
  refuses: ['invalid_request', 'payment_not_found', 'payment_not_refundable'],
});
