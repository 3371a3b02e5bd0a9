import { Fault } from '../../../shared/kit/fault.ts';

/** Answers every path and method that is not in the route table. */
export const refuseUnknownRoute = async (): Promise<undefined> => {
  throw new Fault('not_found', 'No endpoint has this path and method.');
};
