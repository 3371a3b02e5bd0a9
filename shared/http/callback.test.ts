import { describe, expect, it } from 'vitest';
import { Unavailable } from '../kit/fault.ts';
import { type CallbackRequest, callback } from './callback.ts';
import { callBack, unlimited } from './callback-fixture.ts';

const documentOf = async (call: Parameters<typeof callBack>[1]): Promise<unknown> => {
  const requests: unknown[] = [];
  await callBack(
    callback(async ({ document }) => {
      requests.push(document());
      return 'heard';
    }, unlimited),
    call,
  );
  return requests[0];
};

describe('a callback', () => {
  it.each([
    ['heard', 200],
    ['forged', 401],
    ['forbidden', 403],
    ['unknown', 404],
  ] as const)('that is %s is answered %i, in a word', async (hearing, status) => {
    const answer = await callBack(
      callback(async () => hearing, unlimited),
      {},
    );
    expect([answer.status, answer.text]).toEqual([status, hearing]);
    expect(answer.headers).toMatchObject({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  });

  it('is answered with the requested text', async () => {
    const answer = await callBack(
      callback(async () => ({ answer: '<b>1158</b>' }), unlimited),
      {},
    );
    expect([answer.status, answer.text]).toEqual([200, '<b>1158</b>']);
    expect(answer.headers).toMatchObject({ 'X-Content-Type-Options': 'nosniff' });
  });

  it('500 reveals nothing of the error', async () => {
    const failing = callback(async () => Promise.reject(new Error('secret')), unlimited);
    const answer = await callBack(failing, {});
    expect([answer.status, answer.text]).toEqual([500, 'failed']);
  });

  it('503 asks for a retry when a dependency is unavailable', async () => {
    const answer = await callBack(
      callback(async () => Promise.reject(new Unavailable('busy')), unlimited),
      {},
    );
    expect([answer.status, answer.text, answer.headers['Retry-After']]).toEqual([503, 'failed', '1']);
  });

  it('401 has a challenge for a forged call', async () => {
    const answer = await callBack(
      callback(async () => 'forged', unlimited),
      {},
    );
    expect(answer.headers['WWW-Authenticate']).toBe('Signature realm="callbacks"');
  });

  it('is passed on byte for byte', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x7b, 0xc3]);
    const requests: CallbackRequest[] = [];
    const handler = callback(async (one) => {
      requests.push(one);
      return 'heard';
    }, unlimited);
    await callBack(handler, { body: bytes.toString('base64'), isBase64Encoded: true });
    await callBack(handler, { body: 'é{' });
    expect(requests.map(({ body }) => body)).toEqual([bytes, Buffer.from('é{')]);
  });
});

describe('its document', () => {
  it.each([
    ['JSON', { body: '{"a": {"b": 12345678901234567890}}' }, { a: { b: '12345678901234567890' } }],
    ['a list', { body: '[{"a": 1}]' }, [{ a: '1' }]],
    ['a form', { body: 'a=1&b=%C3%A9+c' }, { a: '1', b: 'é c' }],
    ['the query', { query: { a: '1' } }, { a: '1' }],
    ['the query and, over it, the body', { query: { a: '1', b: '1' }, body: '{"b": 2}' }, { a: '1', b: '2' }],
    ['broken JSON, which is a form of a kind', { body: '{"a":' }, { '{"a":': '' }],
    ['nothing', {}, {}],
  ])('is %s', async (_, call, document) => {
    expect(await documentOf(call)).toEqual(document);
  });
});
