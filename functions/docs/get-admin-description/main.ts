import { openapiAdmin } from 'virtual:description';
import { page } from '../../../shared/http/page.ts';

export const handler = page({ type: 'application/json', text: openapiAdmin });
