import { callersOf } from 'virtual:callers';
import { openapiAdmin } from 'virtual:description';
import { guarded } from '../../../shared/http/guarded.ts';

export const handler = guarded(callersOf('docs/get-admin-description'), {
  type: 'application/json',
  text: openapiAdmin,
});
