import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { contextWith } from '../../test/lambda-context.ts';
import { aboutRequest } from './about-request.ts';
import { app } from './app-files.ts';
import { edgeIn, withoutEdge } from './edge.ts';
import { guarded } from './guarded.ts';
import { keylessSurface } from './keyless-surface.ts';
import { type Page, page, pageFor, picture } from './page.ts';
import { visit } from './page-fixture.ts';
import { redirecting } from './redirecting.ts';
import { site } from './site.ts';

const edge = { key: 'k'.repeat(48), host: 'pay.example.com', isOnlyWay: true };
const cloudfront = '130.176.0.9';

const eventOf = (headers: Readonly<Record<string, string>>, sourceIp = cloudfront) => ({
  headers: { host: 'abc.execute-api.us-east-1.amazonaws.com', ...headers },
  requestContext: { requestId: 'r', http: { sourceIp, method: 'GET', path: '/', protocol: 'HTTP/1.1', userAgent: '' } },
});
type Event = Parameters<typeof withoutEdge>[0];
const eventWith = (...given: Parameters<typeof eventOf>) => eventOf(...given) as unknown as Event;

const address = fc.oneof(fc.ipV4(), fc.ipV6());

it('a request through the edge is seen with the address of its client and the host that it asked, whatever the client says of itself', () => {
  fc.assert(
    fc.property(address, fc.array(address), fc.boolean(), (client, claimed, isAppended) => {
      const path = [...claimed, client, ...(isAppended ? [cloudfront] : [])].join(', ');
      const seen = withoutEdge(eventWith({ 'x-origin-key': edge.key, 'x-forwarded-for': path }), edge);
      expect(seen?.requestContext.http.sourceIp).toBe(client);
      expect(seen?.headers).toEqual({ host: edge.host, 'x-forwarded-for': path });
    }),
  );
});

it('a request without the key is refused where the edge is the only way, and taken as it is elsewhere', () => {
  fc.assert(
    fc.property(fc.string(), (key) => {
      const around = eventWith({ 'x-origin-key': key, 'x-forwarded-for': '192.0.2.1' });
      expect(withoutEdge(around, edge)).toBeUndefined();
      expect(withoutEdge(around, { ...edge, isOnlyWay: false })).toBe(around);
    }),
  );
  expect(withoutEdge(eventWith({}), edge)).toBeUndefined();
});

it('without an address of the edge, the address of the caller counts', () => {
  expect(withoutEdge(eventWith({ 'x-origin-key': edge.key }), edge)?.requestContext.http.sourceIp).toBe(cloudfront);
});

it('a deployment has an edge when it knows its key and host', () => {
  expect(edgeIn({})).toBeUndefined();
  expect(edgeIn({ EDGE_KEY: edge.key, EDGE_HOST: edge.host })).toEqual({ ...edge, isOnlyWay: false });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

it('a deployment with an edge refuses what went around it, as API Gateway would, and one without an edge believes no header', async () => {
  const handler = aboutRequest(async ({ requestContext }: Event) => requestContext.http.sourceIp);
  const direct = eventWith({ 'x-origin-key': edge.key, 'x-forwarded-for': '192.0.2.1' }, '198.51.100.7');
  expect(await handler(direct, contextWith())).toBe('198.51.100.7');
  vi.stubEnv('EDGE_KEY', edge.key);
  vi.stubEnv('EDGE_HOST', edge.host);
  vi.stubEnv('EDGE_ONLY', 'on');
  expect(await handler(direct, contextWith())).toBe('192.0.2.1');
  expect(await handler(eventWith({ 'x-forwarded-for': '192.0.2.1' }), contextWith())).toMatchObject({
    statusCode: 403,
    body: '{"message":"Forbidden"}',
  });
});

const shown: Page = { type: 'text/plain', text: 'hello' };
it.each(
  Object.entries({
    page: page(shown),
    pageFor: pageFor(() => shown),
    picture: picture(async () => ({ type: 'image/png', bytes: new Uint8Array([1]) })),
    guarded: guarded(keylessSurface, shown),
    site: site({ '/': { headers: { ETag: '"1"' }, gzip: gzipSync('hello').toString('base64') } }, '/missing'),
    app: app({ page: 'hello', frame: '', files: {} }),
  }),
)('where the edge is the only way, it is the only way to pages too: %s', async (_, handler) => {
  vi.stubEnv('EDGE_KEY', edge.key);
  vi.stubEnv('EDGE_HOST', edge.host);
  vi.stubEnv('EDGE_ONLY', 'on');
  expect((await visit(handler)).status).toBe(403);
  expect((await visit(handler, { 'x-origin-key': edge.key })).status).toBe(200);
});

it('where the edge is the only way, an address that has moved is not shown around it either', async () => {
  const moved = { from: /^(\/docs)\/$/, statusCode: 308, headers: {} } as const;
  const handler = redirecting([moved], async () => ({ statusCode: 404 }));
  const ask = async (headers: Readonly<Record<string, string>>) => {
    const event = { rawPath: '/docs/', rawQueryString: '', ...eventWith(headers) };
    return (await handler(event as APIGatewayProxyEventV2, contextWith())).statusCode;
  };
  vi.stubEnv('EDGE_KEY', edge.key);
  vi.stubEnv('EDGE_HOST', edge.host);
  vi.stubEnv('EDGE_ONLY', 'on');
  expect(await ask({})).toBe(403);
  expect(await ask({ 'x-origin-key': edge.key })).toBe(308);
});
