import { describe, expect, test } from 'vitest';
import { open, start } from './http-api-fixture.ts';

/** The client's response for this result of the function. */
const answerTo = async (result: unknown, method = 'POST') => {
  const { url } = await start();
  return fetch(`${url}/answer`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(result),
  });
};

describe('the result of a function becomes', () => {
  test('status, headers, body and one Set-Cookie for each cookie', async () => {
    const response = await answerTo({
      statusCode: 201,
      headers: { 'Content-Type': 'text/html', 'X-Limit': 60, 'X-Flag': true, 'set-cookie': 'c=3' },
      cookies: ['a=1; Path=/', 'b=2'],
      body: '<p>€</p>',
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(response.headers.get('x-limit')).toBe('60');
    expect(response.headers.get('x-flag')).toBe('true');
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2', 'c=3']);
    expect(response.headers.get('apigw-requestid')).toMatch(/^\S+$/);
    expect(response.headers.get('x-request-id')).toBeNull();
    expect(await response.text()).toBe('<p>€</p>');
  });

  test('the bytes of a base64 body', async () => {
    const response = await answerTo({ statusCode: 200, isBase64Encoded: true, body: 'AP8Q' });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0x00, 0xff, 0x10]));
  });

  test('plain text when it names no type; its own framing headers are dropped', async () => {
    const headers = { 'Content-Length': '1', 'Transfer-Encoding': 'chunked', Connection: 'close' };
    const response = await answerTo({ statusCode: 200, headers, body: 'words' });
    expect(response.headers.get('content-type')).toBe('text/plain;charset=UTF-8');
    expect(response.headers.get('connection')).toBe('keep-alive');
    expect(await response.text()).toBe('words');
  });

  test.each([
    [{ message: 'hello' }, '{"message":"hello"}'],
    [[1, 2], '[1,2]'],
    ['hello', 'hello'],
    [null, 'null'],
  ])('200 with JSON when it has no status code: %j', async (result, body) => {
    const response = await answerTo(result);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(body);
  });

  test('no body on a 204', async () => {
    const response = await answerTo({ statusCode: 204, body: 'unseen' });
    expect(response.status).toBe(204);
    expect(response.headers.get('content-length')).toBeNull();
    expect(await response.text()).toBe('');
  });

  test('no body on HEAD, only its length', async () => {
    const { url } = await start();
    const { sent, answer } = open(`${url}/slowly`, { method: 'HEAD' });
    sent.end();
    const { response, body } = await answer;
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-length']).toBe(String('{"done":true}'.length));
    expect(body).toBe('');
  });

  test.each([
    [{ statusCode: 'fine' }],
    [{ statusCode: 42 }],
    [{ statusCode: 200, body: { not: 'text' } }],
    [{ statusCode: 200, headers: { a: ['b'] } }],
    [{ statusCode: 200, headers: { 'X-Split': 'a\r\nSet-Cookie: b=1' } }],
    [{ statusCode: 200, headers: { 'not a name': 'x' } }],
  ])('500 when it is malformed: %j', async (result) => {
    const response = await answerTo(result);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal Server Error' });
  });
});
