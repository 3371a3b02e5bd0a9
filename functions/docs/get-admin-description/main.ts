import { callersOf } from 'virtual:callers';
import { openapiAdmin } from 'virtual:description';
import { guarded } from '../../../shared/http/guarded.ts';
import { page } from '../../../shared/http/page.ts';

export const handler = guarded(
  callersOf('docs/get-admin-description'),
  page({ type: 'application/json', text: openapiAdmin }),
);
