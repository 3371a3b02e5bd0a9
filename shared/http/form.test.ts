import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { contextWith } from '../../test/lambda-context.ts';
import { Unavailable } from '../kit/fault.ts';
import { unlimited } from './callback-fixture.ts';
import { form } from './form.ts';

const pages = {
  done: '<p>done',
  doneForAddress: '<p>address',
  erased: '<p>erased',
  unknown: '<p>unknown',
  busy: '<p>busy',
  failed: '<p>failed',
};
const nowMs = Date.parse('2026-11-20T12:00:00Z');

const send = async (act: Parameters<typeof form>[0], path?: Readonly<Record<string, string>>) => {
  const event = { routeKey: 'POST /', pathParameters: path, requestContext: { requestId: 'r' } };
  const handler = form(act, pages, unlimited, () => nowMs);
  const answer = await handler(event as unknown as APIGatewayProxyEventV2, contextWith());
  return { status: answer.statusCode, headers: answer.headers, text: answer.body };
};

describe('a form', () => {
  it('200 shows success, 404 an unknown id, 410 one whose person was erased; none is cached', async () => {
    const done = await send(async () => 'done');
    expect(done).toMatchObject({ status: 200, text: '<p>done' });
    expect(done.headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Request-Id': 'r',
      'Content-Security-Policy': expect.stringContaining("default-src 'none'"),
    });
    expect(await send(async () => 'unknown')).toMatchObject({ status: 404, text: '<p>unknown' });
    expect(await send(async () => 'erased')).toMatchObject({ status: 410, text: '<p>erased' });
  });

  it('500 shows a failure without details', async () => {
    const failed = await send(() => Promise.reject(new Error('secret')));
    expect(failed).toMatchObject({ status: 500, text: '<p>failed' });
    expect(JSON.stringify(failed)).not.toContain('secret');
  });

  it('503 shows the same with a Retry-After when a dependency is unavailable', async () => {
    const failed = await send(() => Promise.reject(new Unavailable('busy')));
    expect(failed).toMatchObject({ status: 503, text: '<p>failed', headers: { 'Retry-After': '1' } });
  });

  it('passes the path’s values and the time to its handler', async () => {
    const sent: unknown[] = [];
    const act = async (one: unknown) => {
      sent.push(one);
      return 'done' as const;
    };
    await send(act, { token: 't' });
    await send(act);
    expect(sent).toEqual([
      { path: { token: 't' }, nowMs },
      { path: {}, nowMs },
    ]);
  });
});
