import * as fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { aboutRequest } from './about-request.ts';
import { edgeIn, withoutEdge } from './edge.ts';

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
  expect(await handler(direct)).toBe('198.51.100.7');
  vi.stubEnv('EDGE_KEY', edge.key);
  vi.stubEnv('EDGE_HOST', edge.host);
  vi.stubEnv('EDGE_ONLY', 'on');
  expect(await handler(direct)).toBe('192.0.2.1');
  expect(await handler(eventWith({ 'x-forwarded-for': '192.0.2.1' }))).toMatchObject({
    statusCode: 403,
    body: '{"message":"Forbidden"}',
  });
});
