import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const endSessionContract = contract({
  summary: 'End one of your own sessions',
  description: 'It is refused at once, and so are the keys that were made in it.',
  status: 204,
  path: z.object({ sessionId: z.string() }),
  refuses: ['not_found'],
});
