import * as z from 'zod';
import { refundRecord } from '../../../shared/checkout/refund.ts';
import { contract } from '../../../shared/http/contract.ts';

export const getRefundContract = contract({
  summary: 'Get a refund',
  description: 'A refund of another mode than the key’s is not found.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: refundRecord,
  refuses: ['refund_not_found'],
});
