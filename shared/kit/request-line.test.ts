import { expect, it } from 'vitest';
import { exampleId } from './id.ts';
import { loggedPath } from './request-line.ts';

it.each([
  ['GET /api/v1/messages', {}, '/api/v1/messages'],
  ['GET /api/v1/messages/{id}', { id: exampleId }, `/api/v1/messages/${exampleId}`],
  ['GET /api/v1/messages/{id}', { id: 'ada@example.com' }, '/api/v1/messages/{id}'],
  [
    'DELETE /api/v1/suppressions/{channel}/{address}',
    { channel: 'sms', address: '+8801700000000' },
    '/api/v1/suppressions/{channel}/{address}',
  ],
  ['POST /unsubscribe/{token}', { token: 'secret' }, '/unsubscribe/{token}'],
])(
  'The logged path of %s with %o is %s: ids are shown, and other values are not.',
  (routeKey, pathParameters, path) => {
    expect(loggedPath({ routeKey, pathParameters })).toBe(path);
  },
);
