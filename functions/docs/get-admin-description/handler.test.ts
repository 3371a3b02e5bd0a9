import { expect, it, onTestFinished, vi } from 'vitest';
import { visitorOf } from '../bundled-page-fixture.ts';

it('401 without a session or a token, with the request id', async () => {
  vi.stubEnv('TABLE_NAME', 'none').stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'none').stubEnv('AWS_SECRET_ACCESS_KEY', 'none');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { status, text, headers } = await (await visitorOf('docs/get-admin-description'))('/admin/v1/openapi.json');
  expect([status, JSON.parse(text).error.code]).toEqual([401, 'unauthorized']);
  expect(headers['X-Request-Id']).toMatch(/./);
  expect(headers['Cache-Control']).toBe('no-store');
});
