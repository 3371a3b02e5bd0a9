import { contract } from '../../../shared/http/contract.ts';

export const refuseUnknownRouteContract = contract({
  summary: 'Reject a path or method that is not a route',
  status: 204,
  refuses: ['not_found'],
});
