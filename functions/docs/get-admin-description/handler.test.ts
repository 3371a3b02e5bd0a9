import { expect, it } from 'vitest';
import { describeRoutes } from '../../../infra/describe.ts';
import { visitBundled } from '../bundled-page-fixture.ts';

it('200 returns the OpenAPI description of the admin API as JSON', async () => {
  const { status, headers, text } = await visitBundled('docs/get-admin-description');
  expect([status, headers['Content-Type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(text).toBe((await describeRoutes()).openapiAdmin);
});
