import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { refusedOverlaps } from '../../../test/refused-overlaps.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { rotateSecretContract } from './contract.ts';
import { rotateSecret } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const rotate = (id: string, body: unknown = { overlapSeconds: 3_600 }) =>
  call(endpoint(rotateSecretContract, rotateSecret(world), world.webhookCallers()), {
    key: account.key,
    path: { id },
    body,
  });

describe('POST /webhooks/{id}/rotate-secret', () => {
  it('200 answers a new secret, and the previous one stays valid until the time in the answer', async () => {
    const { id, secret } = await calls.subscribe(account);
    const startMs = Date.now();
    const { status, body } = await rotate(id);
    expect([status, body.data]).toEqual([
      200,
      { secret: expect.stringMatching(/^[0-9a-f]{48}$/), previousValidUntil: expect.any(String) },
    ]);
    const untilMs = Date.parse(body.data.previousValidUntil);
    expect(untilMs - startMs).toBeGreaterThanOrEqual(3_600_000);
    expect(await world.webhooks.target(account.ref, id)).toMatchObject({
      secret: body.data.secret,
      earlier: [{ secret, validUntilMs: untilMs }],
    });
  });

  it('200 ends no secret early when it is repeated, because its first response may have been lost', async () => {
    const { id, secret } = await calls.subscribe(account);
    const lost = await rotate(id);
    const repeated = await rotate(id, { overlapSeconds: 60 });
    const endOf = ({ body }: typeof lost) => Date.parse(body.data.previousValidUntil);
    expect(await world.webhooks.target(account.ref, id)).toMatchObject({
      secret: repeated.body.data.secret,
      earlier: [
        { secret: lost.body.data.secret, validUntilMs: endOf(repeated) },
        { secret, validUntilMs: endOf(lost) },
      ],
    });
  });

  it('200 keeps three secrets at most: one more rotation ends the oldest one, also when two come at once', async () => {
    const { id } = await calls.subscribe(account);
    await rotate(id);
    const { body } = await rotate(id);
    const both = await Promise.all([rotate(id), rotate(id)]);
    const target = await world.webhooks.target(account.ref, id);
    const [last, ...older] = [target, ...(target?.earlier ?? [])].map((each) => each?.secret).toReversed();
    expect([last, older.sort()]).toEqual([body.data.secret, both.map((each) => each.body.data.secret).sort()]);
  });

  it('200 keeps the newest earlier secret that is still valid, and none that has ended', async () => {
    const { id, secret } = await calls.subscribe(account);
    const nowMs = Date.now();
    const rotateAt = async (seconds: number, name: string, overlapSeconds: number) => {
      const atMs = nowMs + seconds * 1_000;
      const wished = { secret: name, previousValidUntilMs: atMs + overlapSeconds * 1_000 };
      await world.webhooks.rotateSecret(account.ref, id, wished, atMs);
      return (await world.webhooks.target(account.ref, id))?.earlier.map((each) => each.secret);
    };
    expect(await rotateAt(0, 'a', 100)).toEqual([secret]);
    expect(await rotateAt(1, 'b', 10)).toEqual(['a', secret]);
    expect(await rotateAt(50, 'c', 10)).toEqual(['b', secret]);
    expect(await rotateAt(200, 'd', 10)).toEqual(['c']);
  });

  it('200 keeps the previous secret when an update whose answer was lost is made again', async () => {
    const { id, secret } = await calls.subscribe(account);
    const wanted = { secret: 'ab'.repeat(24), previousValidUntilMs: Date.now() + 60_000 };
    for (let n = 0; n < 2; n += 1) await world.webhooks.rotateSecret(account.ref, id, wanted, Date.now());
    expect(await world.webhooks.target(account.ref, id)).toMatchObject({
      secret: wanted.secret,
      earlier: [{ secret, validUntilMs: wanted.previousValidUntilMs }],
    });
  });

  it('200 with an overlap of 0 ends all earlier secrets at once, and a regenerated secret ends each overlap', async () => {
    const { id } = await calls.subscribe(account);
    await rotate(id);
    const { body } = await rotate(id, { overlapSeconds: 0 });
    const { earlier = [] } = (await world.webhooks.target(account.ref, id)) ?? {};
    expect(earlier.map(({ validUntilMs }) => validUntilMs)).toEqual([Date.parse(body.data.previousValidUntil)]);
    expect(earlier[0]?.validUntilMs).toBeLessThanOrEqual(Date.now());
    for (let n = 0; n < 2; n += 1) await rotate(id);
    await world.webhooks.change(account.ref, id, { secret: 'a' }, Date.now());
    expect(await world.webhooks.target(account.ref, id)).toMatchObject({ secret: 'a', earlier: [] });
  });

  it.each(refusedOverlaps)('400 refuses %s, and changes nothing', async (_, body) => {
    const { id, secret } = await calls.subscribe(account);
    const answer = await rotate(id, body);
    expect(answer.body).toMatchObject({ statusCode: 400, error: 'invalid_request' });
    expect(answer.body.message).toContain('overlapSeconds');
    expect(await world.webhooks.target(account.ref, id)).toMatchObject({ secret, earlier: [] });
    await world.webhooks.remove(account.ref, id);
  });

  it('404 answers an unknown, a malformed and another account’s id, whose secret stays', async () => {
    const other = await world.newAccount();
    const foreign = await calls.subscribe(other);
    for (const id of [newId(Date.now()), 'x', foreign.id])
      expect((await rotate(id)).body).toMatchObject({ statusCode: 404, error: 'webhook_not_found' });
    expect(await world.webhooks.target(other.ref, foreign.id)).toMatchObject({ secret: foreign.secret });
  });
});
