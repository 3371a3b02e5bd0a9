import { describe, expect, test } from 'vitest';
import { open, routeTo, start } from './http-api-fixture.ts';

const eventFrom = async (url: string, init?: RequestInit) => (await fetch(url, init)).json();

describe('the event of a request', () => {
  test('is that of payload format 2.0', async () => {
    const { url } = await start({ routes: [routeTo('GET /items/{id}')] });
    const { port } = new URL(url);
    const { sent, answer } = open(`${url}/items/a%20b%2Fc?tag=x&tag=y%20z&q=1%2B1&empty=`, {
      headers: { 'User-Agent': 'tester', 'X-Many': ['one', 'two'], Cookie: ['a=1; b=2', 'c=3'] },
    });
    sent.end();
    const { response, body } = await answer;
    const requestId = response.headers['apigw-requestid'];
    expect(requestId).toMatch(/^\S{16,}$/);
    const event = JSON.parse(body);
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'GET /items/{id}',
      rawPath: '/items/a b/c',
      rawQueryString: 'tag=x&tag=y%20z&q=1%2B1&empty=',
      cookies: ['a=1', 'b=2', 'c=3'],
      headers: {
        connection: 'keep-alive',
        host: `localhost:${port}`,
        'user-agent': 'tester',
        'x-many': 'one,two',
        'x-forwarded-for': event.requestContext.http.sourceIp,
        'x-forwarded-port': port,
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { tag: 'x,y z', q: '1+1', empty: '' },
      pathParameters: { id: 'a b/c' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: 'localhost',
        domainPrefix: 'localhost',
        http: {
          method: 'GET',
          path: '/items/a b/c',
          protocol: 'HTTP/1.1',
          sourceIp: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
          userAgent: 'tester',
        },
        requestId,
        routeKey: 'GET /items/{id}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.closeTo(Date.now(), -4),
      },
      isBase64Encoded: false,
    });
  });

  test('has no field for a missing part of the request', async () => {
    const { url } = await start();
    const event = await eventFrom(`${url}/`);
    for (const field of ['body', 'cookies', 'pathParameters', 'queryStringParameters', 'stageVariables']) {
      expect(event).not.toHaveProperty(field);
    }
    expect(event).toMatchObject({ routeKey: '$default', rawPath: '/', rawQueryString: '' });
    expect(event).not.toHaveProperty('requestContext.authorizer');
  });

  const textBytes = Buffer.from('{"price":"€ 5"}');
  test.each([
    ['application/json', textBytes, 'text'],
    ['Application/JSON; charset=utf-8', textBytes, 'text'],
    ['text/plain', textBytes, 'text'],
    ['application/xml', textBytes, 'text'],
    ['application/x-www-form-urlencoded', textBytes, 'base64'],
    ['multipart/form-data; boundary=x', textBytes, 'base64'],
    [undefined, textBytes, 'base64'],
    ['application/json', Buffer.from([0x7b, 0xff, 0x7d]), 'base64'],
  ])('carries a body of type %s, %o, as %s', async (type, bytes, kind) => {
    const { url } = await start();
    const { sent, answer } = open(url, { method: 'POST', headers: type === undefined ? {} : { 'Content-Type': type } });
    sent.end(bytes);
    expect(JSON.parse((await answer).body)).toMatchObject({
      body: bytes.toString(kind === 'text' ? 'utf8' : 'base64'),
      isBase64Encoded: kind === 'base64',
    });
  });
});
