import * as z from 'zod';
import { refundRecord } from '../../../shared/checkout/refund-record.ts';
import { contract } from '../../../shared/http/contract.ts';

export const getRefundContract = contract({
  summary: 'Get a refund',
  description: 'Test keys find only test refunds, and live keys only live ones.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: refundRecord,
  refuses: ['refund_not_found'],
});
