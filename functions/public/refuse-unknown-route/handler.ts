import { Fault } from '../../../shared/kit/fault.ts';

/** Every path and method that no row of the route table names. */
export const refuseUnknownRoute = async (): Promise<undefined> => {
  throw new Fault('not_found', 'No endpoint has this path and method.');
};
