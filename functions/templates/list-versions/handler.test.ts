import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { changedTemplate, newTemplate } from '../../../shared/templates/template.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { listVersionsContract } from './contract.ts';
import { listVersions } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const list = (id: string, key = account.key) =>
  call(endpoint(listVersionsContract, listVersions(world), world.callers('templates:read')), { key, path: { id } });
const create = () =>
  world.templates.create(
    account.ref,
    newTemplate({ channel: 'email', name: 'Receipt', subject: 'First' }, newId(Date.now() - 1_000)),
    { text: 'secret' },
  );

describe('GET /templates/{id}/versions', () => {
  it('200 shows a template that was never changed as its first version', async () => {
    const { id, createdAt } = await create();
    const { status, body } = await list(id);
    expect([status, body]).toEqual([
      200,
      { data: [{ version: 1, createdAt, name: 'Receipt', description: null, subject: 'First', variables: [] }] },
    ]);
  });

  it('200 shows each version with the time when it began, the current one first, without what it says', async () => {
    const created = await create();
    const nowMs = Date.now();
    for (const subject of ['Second', 'Third'])
      await world.templates.change(account.ref, created.id, (before) => changedTemplate(before, { subject }, nowMs));
    const { body, text } = await list(created.id);
    expect(body.data).toMatchObject([
      { version: 3, subject: 'Third', createdAt: new Date(nowMs + 1).toISOString() },
      { version: 2, subject: 'Second', createdAt: new Date(nowMs).toISOString() },
      { version: 1, subject: 'First', createdAt: created.createdAt },
    ]);
    expect(text).not.toContain('secret');
  });

  it('404 an unknown, malformed or foreign template', async () => {
    const [{ id }, other] = [await create(), await world.newAccount()];
    for (const answer of [await list(newId(1)), await list('x'), await list(id, other.key)])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'template_not_found']);
  });
});
