import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { newTemplate, type Template } from '../../../shared/templates/template.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { archiveTemplateContract } from './contract.ts';
import { archiveTemplate } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const archive = (id: string, key = account.key) =>
  call(endpoint(archiveTemplateContract, archiveTemplate(world), world.callers('templates:write')), {
    key,
    path: { id },
  });
const create = (parts: Partial<Template> = {}) => {
  const template = newTemplate({ channel: 'email', name: 'Receipt', subject: 's' }, newId(Date.now()));
  return world.templates.create(account.ref, { ...template, ...parts }, { text: 'Hi' });
};

describe('DELETE /templates/{id}', () => {
  it('204 the template is neither found, listed, changed nor sendable afterwards', async () => {
    const { id } = await create();
    const { status, text } = await archive(id);
    expect([status, text]).toEqual([204, '']);
    expect(await world.templates.find(account.ref, id)).toBeUndefined();
    expect((await world.templates.list(account.ref)).map((template) => template.id)).not.toContain(id);
    expect((await world.sends.read(account.ref, { channel: 'email', templateId: id })).template).toBeUndefined();
    expect(await world.templates.versions(account.ref, id)).toBeUndefined();
  });

  it('404 the second time, and of an unknown, malformed or foreign template', async () => {
    const [{ id }, kept] = [await create(), await create()];
    await archive(id);
    const other = await world.newAccount();
    const answers = [await archive(id), await archive(newId(1)), await archive('x'), await archive(kept.id, other.key)];
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'template_not_found']);
    expect(await world.templates.find(account.ref, kept.id)).toEqual(kept);
  });

  it('204 once, when several ask at the same time', async () => {
    const { id } = await create();
    const answers = await Promise.all([archive(id), archive(id), archive(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  });

  it('409 refuses a whatsapp template, which is read-only', async () => {
    const { id } = await create({ channel: 'whatsapp', whatsappStatus: 'APPROVED' });
    expect((await archive(id)).body.error.code).toBe('conflict');
    expect(await world.templates.find(account.ref, id)).toBeDefined();
  });
});
