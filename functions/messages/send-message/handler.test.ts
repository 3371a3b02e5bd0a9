import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { sendMessageContract } from './contract.ts';
import { sendMessage } from './handler.ts';

let world: World;
let account: TestAccount;

beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' };

const send = (body: unknown, key = account.key) =>
  call(
    endpoint(
      sendMessageContract,
      sendMessage({ ...world, platformAddress: 'no-reply@platform.example' }),
      world.callers('messages:send'),
    ),
    { key, body },
  );

describe('POST /messages', () => {
  it('201 sends an email and answers the message', async () => {
    const { status, body } = await send(mail);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      channel: 'email',
      status: 'sent',
      to: 'ada@example.com',
      tags: [],
      metadata: {},
    });
  });
});
