import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { type ItemKey, itemKeys } from '../../../shared/table/keys.ts';
import { changedTemplate, newTemplate, type Template } from '../../../shared/templates/template.ts';
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

  it('200 shows the latest thousand, and of long ones as many as fit in an answer', async () => {
    const cipher = await world.vault.unlock(account.ref);
    const write = async (count: number, parts: Partial<Template>) => {
      const created = await create();
      const { row, ...now } = { row: itemKeys.template(account.ref.id, created.id), ...created };
      const sealed = ({ PK, SK }: ItemKey, place = `${PK}/${SK}/sealed`) =>
        cipher.seal(place, JSON.stringify({ ...now, ...parts }));
      const versions = Array.from({ length: count - 1 }, (_, n) => {
        const key = itemKeys.templateVersion(account.ref.id, created.id, n + 1);
        return { ...key, version: n + 1, sealed: sealed(key) };
      });
      await world.table.putAll([
        ...versions,
        { ...row, channel: 'email', parts: 1, version: count, sealed: sealed(row) },
      ]);
      const listed: { version: number }[] = (await list(created.id)).body.data;
      return listed.map(({ version }) => version);
    };
    const many = await write(1_200, {});
    expect([many[0], many.at(-1), many.length]).toEqual([1_200, 201, 1_000]);
    const fitting = await write(600, { description: 'x'.repeat(5_000) });
    expect([fitting[0], fitting.length < 500, fitting.length > 400]).toEqual([600, true, true]);
  });

  it('404 an unknown, malformed or foreign template', async () => {
    const [{ id }, other] = [await create(), await world.newAccount()];
    for (const answer of [await list(newId(1)), await list('x'), await list(id, other.key)])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'template_not_found']);
  });
});
