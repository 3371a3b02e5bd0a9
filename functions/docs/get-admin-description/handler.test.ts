import { expect, it } from 'vitest';
import { describeRoutes } from '../../../infra/describe.ts';
import { visitorOf } from '../bundled-page-fixture.ts';

it('200 returns the OpenAPI description of the admin API as JSON', async () => {
  const { status, headers, text } = await (await visitorOf('docs/get-admin-description'))('/admin/v1/openapi.json');
  expect([status, headers['Content-Type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(text).toBe((await describeRoutes()).openapiAdmin);
});
