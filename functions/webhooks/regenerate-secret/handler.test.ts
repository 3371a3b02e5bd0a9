import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { regenerateSecretContract } from './contract.ts';
import { regenerateSecret } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const regenerate = (id: string) =>
  call(endpoint(regenerateSecretContract, regenerateSecret(world), world.webhookCallers()), {
    key: account.key,
    path: { id },
  });

describe('POST /webhooks/{id}/regenerate-secret', () => {
  it('200 answers a new secret, which is the only one from then on', async () => {
    const { secret, ...before } = await calls.subscribe(account);
    const { status, body } = await regenerate(before.id);
    expect([status, body.data]).toEqual([200, { secret: expect.stringMatching(/^[0-9a-f]{48}$/) }]);
    expect(body.data.secret).not.toBe(secret);
    expect(await world.webhooks.target(account.ref, before.id)).toMatchObject({ secret: body.data.secret });
    const after = await world.webhooks.find(account.ref, before.id);
    expect(after).toMatchObject({ ...before, updatedAt: after?.updatedAt });
  });

  it('200 reaches deliveries that are already under way', async () => {
    const { id } = await calls.subscribe(account);
    const job = (await calls.begin(account)).find(({ webhook }) => webhook === id);
    const { body } = await regenerate(id);
    const all = job && (await world.attempts.load([job]));
    expect(all?.target.secret).toBe(body.data.secret);
  });

  it('404 answers an unknown, a malformed and another account’s id, whose secret stays', async () => {
    const other = await world.newAccount();
    const foreign = await calls.subscribe(other);
    for (const id of [newId(Date.now()), 'x', foreign.id]) {
      expect((await regenerate(id)).body).toMatchObject({ statusCode: 404, error: 'webhook_not_found' });
    }
    expect(await world.webhooks.target(other.ref, foreign.id)).toMatchObject({ secret: foreign.secret });
  });
});
