import { Fault } from '../../../shared/kit/fault.ts';

/** Answers every path and method that is not in the route table. */
export const refuseUnknownRoute = async (): Promise<undefined> => {
  throw new Fault(
    'not_found',
    'No endpoint has this path and method. Messaging is under /api/v1, the checkout under /v1, and /docs lists all endpoints.',
  );
};
