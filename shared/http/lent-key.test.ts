import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, it } from 'vitest';
import { type Route, routes } from '../../infra/routes.ts';
import { exampleId } from '../kit/id.ts';
import { type Noting, noteChange } from './lent-key.ts';

const lent = { actor: new Uint8Array(), sealedKey: '' };

const notingOf = (routeKey: string): Noting | undefined => {
  const auth = Object.entries<Route>(routes).find(([key]) => key === routeKey)?.[1].auth;
  return typeof auth === 'object' && 'apiKey' in auth ? auth.noting : undefined;
};

/** What the audit log has of a request. */
const notedOf = async (routeKey: string, rawPath: string, pathParameters: Record<string, string> = {}) => {
  const noted: { readonly action: string; readonly resource: string; readonly account: string | undefined }[] = [];
  const audit = {
    begin: async ({ action, resource, account }: (typeof noted)[number]) => {
      noted.push({ action, resource, account });
      return { PK: '', SK: '' };
    },
    end: async () => undefined,
  };
  const [method] = routeKey.split(' ');
  const event = { routeKey, rawPath, pathParameters, requestContext: { http: { method } } } as APIGatewayProxyEventV2;
  await noteChange(audit, event, { account: { id: 'a' }, lent }, 0, notingOf(routeKey));
  return noted;
};

it('the audit log names what was changed by its path', async () => {
  const action = 'DELETE /api/v1/templates/{id}';
  const resource = `/api/v1/templates/${exampleId}`;
  const noted = await notedOf(action, resource, { id: exampleId });
  expect(noted).toEqual([{ action, resource, account: 'a' }]);
});

it.each(['ada@example.com', '+8801712345678', 'Ada'])(
  'the audit log does not have %s, which a caller has sent in the place of an id',
  async (id) => {
    const action = 'PATCH /admin/v1/contacts/{id}';
    const noted = await notedOf(action, `/admin/v1/contacts/${id}`, { id });
    expect(noted).toEqual([{ action, resource: '/admin/v1/contacts/{id}', account: 'a' }]);
  },
);

it.each(['ada@example.com', 'sales/ada@example.com'])(
  'the audit log has no part of an address like %s in a path',
  async (address) => {
    const action = 'DELETE /api/v1/suppressions/{channel}/{address}';
    const noted = await notedOf(action, `/api/v1/suppressions/email/${address}`, { channel: 'email', address });
    expect(noted).toEqual([{ action, resource: '/api/v1/suppressions/email/{address}', account: 'a' }]);
  },
);

const beginningsOfExports = Object.keys(routes).filter((key) => /^GET .*\/export$/.test(key));

it.each(beginningsOfExports)('the audit log has %s, and no look at the export’s progress', async (action) => {
  const resource = action.replace('GET ', '');
  expect(await notedOf(action, resource)).toEqual([{ action, resource, account: 'a' }]);
  expect(await notedOf(`${action}s/{id}`, `${resource}s/7`, { id: '7' })).toEqual([]);
});

it('the audit log has nothing of a read', async () => {
  expect(await notedOf('GET /api/v1/suppressions', '/api/v1/suppressions')).toEqual([]);
});

const previews = Object.keys(routes).filter((key) => /^POST .*\/preview$/.test(key));

it.each(previews)('the audit log has nothing of %s, which changes nothing', async (action) => {
  expect(await notedOf(action, action.replace('POST ', ''))).toEqual([]);
});
