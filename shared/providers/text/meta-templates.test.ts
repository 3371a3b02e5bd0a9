import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withinTime } from '../../kit/time-limit.ts';
import { metaTemplates } from './meta-templates.ts';

/** A Graph API with these answers. */
const graph = async (answer: (url: URL, response: ServerResponse, request: IncomingMessage) => void) => {
  const server = createServer((request, response) =>
    answer(new URL(request.url ?? '', 'http://graph.example'), response, request),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const graphUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v23.0`;
  return { graphUrl, businessAccountId: '222', accessToken: 'a token' };
};

const template = (n: number) => ({
  id: String(n),
  name: `offer_${n}`,
  language: 'en_US',
  status: 'APPROVED',
  category: 'MARKETING',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: `No. {{${n}}}` },
    { type: 'BUTTONS', buttons: [] },
  ],
});

describe('a business account’s templates at Meta', () => {
  it('are read in pages, with the account’s own token', async () => {
    const asked: string[] = [];
    const settings = await graph((url, response, { headers }) => {
      asked.push(`${url.pathname} ${url.searchParams.get('after')} ${headers.authorization}`);
      const page = Number(url.searchParams.get('after') ?? 0);
      const next = page < 2 ? { next: 'https://elsewhere.example/', cursors: { after: String(page + 1) } } : {};
      response.end(JSON.stringify({ data: [template(2 * page), template(2 * page + 1)], paging: next }));
    });
    const path = '/v23.0/222/message_templates';
    expect(await metaTemplates(settings)).toEqual({
      kind: 'listed',
      templates: [0, 1, 2, 3, 4, 5].map((n) => ({
        name: `offer_${n}`,
        language: 'en_US',
        status: 'APPROVED',
        text: `No. {{${n}}}`,
      })),
    });
    expect(asked).toEqual([`${path} null Bearer a token`, `${path} 1 Bearer a token`, `${path} 2 Bearer a token`]);
  });

  it('may be an empty list', async () => {
    const settings = await graph((_, response) => response.end('{"data": []}'));
    expect(await metaTemplates(settings)).toEqual({ kind: 'listed', templates: [] });
  });

  it('are refused when Meta does not accept the token', async () => {
    const settings = await graph((_, response) => response.writeHead(401).end('{"error": {"code": 190}}'));
    expect(await metaTemplates(settings)).toEqual({ kind: 'refused', reason: 'Meta responded with status 401.' });
  });

  it('are unavailable when Meta is down, throttles or redirects', async () => {
    for (const status of [500, 503, 429, 302]) {
      const settings = await graph((_, response) => response.writeHead(status, { location: '/x' }).end());
      expect(await metaTemplates(settings)).toMatchObject({ kind: 'unavailable' });
    }
    for (const code of [4, 80007, 80008, 130429]) {
      const settings = await graph((_, response) => response.writeHead(400).end(JSON.stringify({ error: { code } })));
      expect(await metaTemplates(settings)).toEqual({
        kind: 'unavailable',
        reason: 'Meta responded with status 400.',
      });
    }
    const broken = await graph((_, response) => response.end('<html>'));
    expect(await metaTemplates(broken)).toMatchObject({ kind: 'unavailable' });
  });

  it('are asked for no longer when the time of the one who asks is over', async () => {
    const settings = await graph(() => expect.fail('it was asked'));
    expect(await withinTime(Date.now() - 1, () => metaTemplates(settings))).toMatchObject({ kind: 'unavailable' });
  });

  it('are not requested with a token that is not valid in a header', async () => {
    let calls = 0;
    const settings = await graph((_, response) => {
      calls += 1;
      response.end('{"data": []}');
    });
    expect(await metaTemplates({ ...settings, accessToken: 'a\nb' })).toMatchObject({ kind: 'refused' });
    expect(calls).toBe(0);
  });
});
