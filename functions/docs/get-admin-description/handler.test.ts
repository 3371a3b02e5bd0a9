import { expect, it, onTestFinished } from 'vitest';
import { visitorOf } from '../bundled-page-fixture.ts';

it('401 without a session or a token', async () => {
  process.env['TABLE_NAME'] = 'none';
  onTestFinished(() => void delete process.env['TABLE_NAME']);
  const { status, text } = await (await visitorOf('docs/get-admin-description'))('/admin/v1/openapi.json');
  expect([status, JSON.parse(text).error.code]).toEqual([401, 'unauthorized']);
});
