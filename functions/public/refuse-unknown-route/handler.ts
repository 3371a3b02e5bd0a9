import { Fault } from '../../../shared/kit/fault.ts';

/** Every path and method that no row of the route table names. */
export const refuseUnknownRoute = async (): Promise<undefined> => {
  throw new Fault('not_found', 'There is nothing at this path with this method.');
};
