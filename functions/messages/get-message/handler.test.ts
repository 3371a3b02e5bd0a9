import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { getMessageContract } from './contract.ts';
import { getMessage } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const get = (id: string, key = account.key) =>
  call(endpoint(getMessageContract, getMessage(world), world.callers('messages:read')), { key, path: { id } });

describe('GET /messages/{id}', () => {
  it('200 shows a message as it is now, metadata and tags verbatim', async () => {
    const asked = {
      channel: 'email',
      to: 'Ada@Example.com',
      tags: ['a', 'b'],
    } as const;
    const metadata = '{"n": 1.0, "deep": {"list": [null, "x"]}, "1": 12345678901234567890}';
    const message = newEmail({ ...asked, metadata: new JsonText(metadata) }, newId(Date.now()));
    await acceptEmail(world, account.ref, message);
    const sending = await get(message.id);
    expect(sending.status).toBe(200);
    expect(sending.body.data).toEqual({
      id: message.id,
      channel: 'email',
      status: 'sending',
      to: 'Ada@Example.com',
      tags: ['a', 'b'],
      metadata: JSON.parse(metadata),
      createdAt: message.createdAt,
      sentAt: null,
      deliveredAt: null,
      failedAt: null,
      failureReason: null,
      failureCode: null,
    });
    expect(sending.text).toContain(`"metadata":${metadata},`);
    await world.messages.fail(
      account.ref,
      message,
      'providerRefused',
      { code: 'MessageRejected', reason: 'No.' },
      Date.now(),
    );
    const { body } = await get(message.id);
    expect(body.data).toMatchObject({ status: 'failed', failureCode: 'MessageRejected', failureReason: 'No.' });
    expect(body.data.failedAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  });

  it('404 answers an unknown id, a malformed id and another account’s message alike', async () => {
    const message = newEmail({ channel: 'email', to: 'bob@example.com' }, newId(Date.now()));
    await acceptEmail(world, account.ref, message);
    const other = await world.newAccount();
    const answers = await Promise.all([
      get(message.id, other.key),
      get(newId(Date.now())),
      get('x'),
      get(message.id.toUpperCase()),
    ]);
    for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
    expect(answers[0]?.body.error.code).toBe('message_not_found');
  });
});
