import { expect, it } from 'vitest';
import { describeRoutes } from '../../../infra/describe.ts';
import { visitBundled } from '../bundled-page-fixture.ts';

it('200 returns the OpenAPI description as JSON, without a key', async () => {
  const { status, headers, text } = await visitBundled('docs/get-description');
  expect(status).toBe(200);
  expect(headers['Content-Type']).toBe('application/json; charset=utf-8');
  expect(text).toBe((await describeRoutes()).openapi);
  expect(JSON.parse(text).openapi).toMatch(/^3\.1\./);
});
