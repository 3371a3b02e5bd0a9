import { expect, it } from 'vitest';
import { describeRoutes } from '../../../infra/describe.ts';
import { visitBundled } from '../bundled-page-fixture.ts';

it.each([
  ['/api/v1/openapi.json', 'openapi'],
  ['/api/v1/openapi-full.json', 'openapiFull'],
  ['/v1/openapi.json', 'openapiCheckout'],
] as const)('200 returns the OpenAPI description at %s as JSON', async (path, name) => {
  const { status, headers, text } = await visitBundled('docs/get-description', `GET ${path}`);
  expect(status).toBe(200);
  expect(headers['Content-Type']).toBe('application/json; charset=utf-8');
  expect(text).toBe((await describeRoutes())[name]);
  expect(JSON.parse(text).openapi).toMatch(/^3\.1\./);
});
