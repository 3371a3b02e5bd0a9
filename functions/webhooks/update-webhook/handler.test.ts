import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import type { Table } from '../../../shared/table/table.ts';
import { webhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { call } from '../../../test/call.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { updateWebhookContract } from './contract.ts';
import { updateWebhook } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const update = (id: string, body: unknown) =>
  call(endpoint(updateWebhookContract, updateWebhook(world), world.webhookCallers()), {
    key: account.key,
    path: { id },
    body,
  });

describe('PATCH /webhooks/{id}', () => {
  it.each([
    ['name', 'Invoices'],
    ['url', 'http://example.org/'],
    ['events', ['message.bounced', 'message.sent']],
    ['events', []],
    ['isActive', false],
  ])('200 changes %s to %j and nothing else', async (field, value) => {
    const { secret, ...before } = await calls.subscribe(account);
    const { status, body } = await update(before.id, { [field]: value });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, [field]: value, updatedAt: body.data.updatedAt });
    expect(Date.parse(body.data.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.createdAt));
    expect(await world.webhooks.target(account.ref, before.id)).toMatchObject({ secret });
  });

  it('200 pauses and resumes', async () => {
    const { id, secret } = await calls.subscribe(account);
    expect((await update(id, { isActive: false })).body.data.isActive).toBe(false);
    expect(await world.webhooks.listeners(account.ref.id)).toContainEqual(
      expect.objectContaining({ id, isActive: false }),
    );
    expect((await update(id, { isActive: true })).body.data.isActive).toBe(true);
    expect(await world.webhooks.listeners(account.ref.id)).toContainEqual(
      expect.objectContaining({ id, isActive: true }),
    );
    expect(await world.webhooks.target(account.ref, id)).toMatchObject({ secret });
  });

  it('200 says since when all deliveries had failed, also when its answer was lost, when it resumes what was paused for that', async () => {
    const { id } = await calls.subscribe(account);
    const failingSince = '2026-11-15T12:00:00.000Z';
    await calls.pauseFailing(account, id, failingSince);
    expect((await update(id, { name: 'Later' })).body.data).not.toHaveProperty('missedSince');
    expect((await update(id, { isActive: true })).body.data).toMatchObject({
      isActive: true,
      missedSince: failingSince,
    });
    expect((await update(id, { isActive: true })).body.data).toMatchObject({ missedSince: failingSince });
    expect((await update(id, { name: 'Later' })).body.data).not.toHaveProperty('missedSince');
    await update(id, { isActive: false });
    expect((await update(id, { isActive: true })).body.data).not.toHaveProperty('missedSince');
  });

  it('200 pauses one again that is paused because all its deliveries had failed, changes its other fields, and still says since when', async () => {
    const { id } = await calls.subscribe(account);
    const failingSince = '2026-11-15T12:00:00.000Z';
    await calls.pauseFailing(account, id, failingSince);
    const { pauses } = (await world.webhooks.find(account.ref, id)) ?? expect.fail();
    expect((await update(id, { isActive: false, name: 'Later' })).body.data).toMatchObject({
      isActive: false,
      name: 'Later',
    });
    expect(await world.webhooks.find(account.ref, id)).toMatchObject({ pauses, missedSince: failingSince });
    expect((await update(id, { isActive: true })).body.data).toMatchObject({ missedSince: failingSince });
  });

  it('200 pauses one that another call resumes meanwhile, for the reason of this pause', async () => {
    const { id } = await calls.subscribe(account);
    await calls.pauseFailing(account, id, '2026-11-15T12:00:00.000Z');
    const { pauses } = (await world.webhooks.find(account.ref, id)) ?? expect.fail();
    let writes = 0;
    const updateThenResume: Table['update'] = async (input) => {
      const written = await world.table.update(input);
      writes += 1;
      if (writes === 1) await world.webhooks.change(account.ref, id, { isActive: true }, Date.now());
      return written;
    };
    const meanwhile = webhookStore({ ...world.table, update: updateThenResume }, world.vault, 'messaging');
    const paused = await meanwhile.change(account.ref, id, { isActive: false, name: 'Later' }, Date.now());
    expect(paused).toMatchObject({ isActive: false, name: 'Later', pauses: pauses + 1, missedSince: undefined });
  });

  it('200 for a change of nothing, of unknown fields, of nulls and of fields that are not the caller’s', async () => {
    const { secret, ...before } = await calls.subscribe(account);
    for (const body of [
      {},
      { unknown: 1 },
      { name: null, url: null, isActive: null },
      { totalSent: 9, id: 'x', secret: 'x', hasSecret: false },
    ]) {
      const answer = await update(before.id, body);
      expect(answer.body.data).toEqual({ ...before, updatedAt: answer.body.data.updatedAt });
    }
    expect(await world.webhooks.target(account.ref, before.id)).toMatchObject({ secret });
  });

  it.each([
    ['name', ''],
    ['url', '/hooks'],
    ['events', ['']],
    ['isActive', 1],
  ])('400 refuses %s %j and changes nothing', async (field, value) => {
    const { secret: _, ...before } = await calls.subscribe(account);
    const { status, body } = await update(before.id, { name: 'Other', [field]: value });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(await world.webhooks.find(account.ref, before.id)).toMatchObject(before);
  });

  it('404 answers an unknown, a malformed and another account’s id, and changes nothing', async () => {
    const other = await world.newAccount();
    const foreign = await calls.subscribe(other);
    for (const id of [newId(Date.now()), 'x', foreign.id]) {
      const { status, body } = await update(id, { name: 'Mine' });
      expect([status, body.error]).toEqual([404, 'webhook_not_found']);
    }
    expect(await world.webhooks.find(other.ref, foreign.id)).toMatchObject({ name: 'Orders' });
  });
});
