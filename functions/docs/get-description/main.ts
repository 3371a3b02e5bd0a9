import { openapi, openapiCheckout, openapiFull } from 'virtual:description';
import { page, pages } from '../../../shared/http/page.ts';

const json = (text: string) => page({ type: 'application/json', text });

export const handler = pages({
  '/api/v1/openapi.json': json(openapi),
  '/api/v1/openapi-full.json': json(openapiFull),
  '/v1/openapi.json': json(openapiCheckout),
});
