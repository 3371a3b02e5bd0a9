import { expect, it } from 'vitest';
import { preflightSurface } from '../../../shared/http/cors.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../../test/call.ts';
import { answerPreflightContract } from './contract.ts';
import { answerPreflight } from './handler.ts';

const handler = endpoint(answerPreflightContract, answerPreflight, preflightSurface);

it('OPTIONS: 204 lets any page ask with a key, a body and an idempotency key', async () => {
  const { status, headers, text } = await call(handler, {
    headers: {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });
  expect([status, text]).toEqual([204, '']);
  expect(headers).toMatchObject({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key',
    'Access-Control-Max-Age': '7200',
  });
  expect(headers).not.toHaveProperty('Access-Control-Allow-Credentials');
});
