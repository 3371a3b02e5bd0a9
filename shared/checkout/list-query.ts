import { text } from '../kit/text.ts';
import { longest } from './new-session.ts';

/** What the lists of sessions, payments and refunds take in their queries. */
export const invoiceQuery = {
  invoiceId: text({ atMost: longest.invoiceId }).min(1).optional().describe('The exact `invoiceId` of the session.'),
};
