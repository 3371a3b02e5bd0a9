import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { newTemplate, type Template } from '../../../shared/templates/template.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { updateTemplateContract } from './contract.ts';
import { updateTemplate } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const patch = (id: string, body: unknown, key = account.key) =>
  call(endpoint(updateTemplateContract, updateTemplate(world), world.callers('templates:write')), {
    key,
    path: { id },
    body,
  });
const create = async (parts: Partial<Template> = {}) => {
  const asked = { channel: 'email', name: 'Receipt', description: 'd', subject: 's', variables: ['a'] } as const;
  const template = { ...newTemplate(asked, newId(Date.now() - 1_000)), ...parts };
  return world.templates.create(account.ref, template, { html: '<p>{{a}}</p>', text: 'Hi {{a}}' });
};
const whole = (id: string, version?: number) => world.templates.findWhole(account.ref, id, version);

describe('PATCH /templates/{id}', () => {
  it('200 changes what is sent and nothing else, and a send uses the change at once', async () => {
    const before = await create();
    const { status, body } = await patch(before.id, { subject: 'New', textContent: 'Hello {{a}}' });
    expect(status).toBe(200);
    expect(body).toEqual({ data: { ...before, subject: 'New', updatedAt: expect.any(String) } });
    expect(body.data.updatedAt > before.updatedAt).toBe(true);
    const sendable = (await world.sends.read(account.ref, { channel: 'email', templateId: before.id })).template;
    expect(sendable?.content).toEqual({ subject: 'New', html: '<p>{{a}}</p>', text: 'Hello {{a}}' });
  });

  it('200 null clears a field that the channel does not require', async () => {
    const { id } = await create();
    const { body } = await patch(id, { description: null, htmlContent: null, variables: null });
    expect(body.data).toMatchObject({ description: null, variables: [], subject: 's' });
    expect((await whole(id))?.content).toEqual({ subject: 's', html: undefined, text: 'Hi {{a}}' });
  });

  it('200 null leaves the name and the channel unchanged', async () => {
    const before = await create();
    expect((await patch(before.id, { name: null, channel: null })).body).toEqual({ data: before });
  });

  it('200 keeps what the template was before each change as a version', async () => {
    const { id } = await create();
    await patch(id, { name: 'Second', textContent: 'second' });
    await patch(id, { name: 'Third' });
    expect((await world.templates.versions(account.ref, id))?.map(({ version, name }) => [version, name])).toEqual([
      [3, 'Third'],
      [2, 'Second'],
      [1, 'Receipt'],
    ]);
    expect((await whole(id, 1))?.content.text).toBe('Hi {{a}}');
    expect((await whole(id, 2))?.content.text).toBe('second');
  });

  it('200 makes no version when nothing changes', async () => {
    const before = await create();
    for (const body of [{}, { name: before.name, subject: 's' }, { channel: 'email' }, { x: 1 }])
      expect((await patch(before.id, body)).body).toEqual({ data: before });
    expect(await world.templates.versions(account.ref, before.id)).toHaveLength(1);
  });

  it('200 ignores subject and HTML of an sms template', async () => {
    const sms = newTemplate({ channel: 'sms', name: 'Code' }, newId(Date.now()));
    await world.templates.create(account.ref, sms, { text: 'Code {{code}}' });
    const { body } = await patch(sms.id, { subject: 'x', htmlContent: '<p>', textContent: 'New {{code}}' });
    expect(body.data).not.toHaveProperty('subject');
    expect((await whole(sms.id))?.content).toEqual({ subject: undefined, html: undefined, text: 'New {{code}}' });
  });

  it('200 changes that come at the same time are all made, and are versions', async () => {
    const { id } = await create();
    const changes = [{ name: 'New name' }, { description: 'New' }, { subject: 'New subject' }, { textContent: 'New' }];
    await Promise.all(changes.map((body) => patch(id, body)));
    expect(await whole(id)).toMatchObject({
      template: { name: 'New name', description: 'New', subject: 'New subject' },
      content: { text: 'New' },
    });
    expect((await world.templates.versions(account.ref, id))?.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
  });

  it('200 a body that becomes much smaller or larger comes back whole', async () => {
    const { id } = await create();
    const wide = Array.from({ length: 200_000 }, (_, n) => String.fromCodePoint(0x10000 + ((n * 7_919) % 0xffff)));
    for (const htmlContent of [wide.join(''), 'small', wide.toReversed().join('')]) {
      expect((await patch(id, { htmlContent })).status).toBe(200);
      expect((await whole(id))?.content.html === htmlContent).toBe(true);
    }
    expect((await whole(id, 2))?.content.html === wide.join('')).toBe(true);
  });

  it.each([
    [{ subject: null }, 'subject: is required for email templates'],
    [{ subject: ' ' }, 'subject: is required for email templates'],
    [{ htmlContent: null, textContent: '' }, 'htmlContent or textContent: at least one is required'],
    [{ name: 'x'.repeat(101) }, 'name: must be at most 100 characters'],
    [{ name: ' ' }, 'name: must not be blank'],
    [{ channel: 'sms' }, 'channel: cannot be changed'],
    [{ channel: 'whatsapp' }, 'channel: must be one of email, sms'],
    [{ variables: ['{{a}}'] }, 'variables.0: must be a name without braces'],
  ])('400 refuses %j and changes nothing', async (sent, message) => {
    const before = await create();
    const { status, body } = await patch(before.id, { description: 'other', ...sent });
    expect([status, body.error.code, body.error.message]).toEqual([400, 'invalid_request', message]);
    expect(await world.templates.find(account.ref, before.id)).toEqual(before);
  });

  it('409 refuses a whatsapp template, which is read-only', async () => {
    const { id } = await create({ channel: 'whatsapp', whatsappStatus: 'APPROVED' });
    expect((await patch(id, { name: 'x' })).body.error.code).toBe('conflict');
  });

  it('404 an unknown, malformed, foreign or archived template', async () => {
    const [{ id }, archived] = [await create(), await create()];
    await world.templates.archive(account.ref, archived.id);
    const other = await world.newAccount();
    const answers = [
      await patch(id, { name: 'x' }, other.key),
      await patch(newId(1), { name: 'x' }),
      await patch('x', { name: 'x' }),
      await patch(archived.id, { name: 'x' }),
    ];
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'template_not_found']);
  });
});
