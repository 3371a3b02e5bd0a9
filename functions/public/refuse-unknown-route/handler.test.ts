import { expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { refuseUnknownRouteContract } from './contract.ts';
import { refuseUnknownRoute } from './handler.ts';

it('404 answers every request in the error envelope', async () => {
  const { status, body, headers } = await call(
    endpoint(refuseUnknownRouteContract, refuseUnknownRoute, keylessSurface),
  );
  expect(status).toBe(404);
  expect(body).toEqual({
    error: {
      code: 'not_found',
      message:
        'No endpoint has this path and method. Messaging is under /api/v1, the checkout under /v1, and /docs lists all endpoints.',
      docsUrl: '/docs/errors#not_found',
    },
  });
  expect(headers['X-Request-Id']).toBe('test-request');
});
