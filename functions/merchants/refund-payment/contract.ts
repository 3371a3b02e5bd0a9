import * as z from 'zod';
import { refundRecord } from '../../../shared/checkout/refund-record.ts';
import { replayMark } from '../../../shared/checkout/replay-mark.ts';
import { refundWish } from '../../../shared/checkout/request-refund.ts';
import { contract } from '../../../shared/http/contract.ts';

export const refundPaymentContract = contract({
  summary: 'Refund a payment, in full or in part',
  description:
    'The gateway is called after the response; the event refund.succeeded or refund.failed reports the result. More than the payment’s balance is a 409 `conflict`. Repeating an `Idempotency-Key` returns the refund of the payment that it created, regardless of the body.',
  example: { amountMinor: 250_000, reason: 'One of two items was returned.' },
  status: 201,
  path: z.object({ id: z.string() }),
  body: refundWish,
  reply: refundRecord,
  headers: replayMark,
  isReplayable: true,
  refuses: ['bad_request', 'payment_not_found', 'conflict'],
});
