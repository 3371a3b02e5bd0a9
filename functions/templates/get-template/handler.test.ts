import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { newTemplate, type Template } from '../../../shared/templates/template.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { getTemplateContract } from './contract.ts';
import { getTemplate } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const get = (id: string, key = account.key) =>
  call(endpoint(getTemplateContract, getTemplate(world), world.callers('templates:read')), { key, path: { id } });
const sms = () => newTemplate({ channel: 'sms', name: 'Code', variables: ['code'] }, newId(Date.now()));

describe('GET /templates/{id}', () => {
  it('200 shows an email template without what it says', async () => {
    const template = newTemplate({ channel: 'email', name: 'Receipt', subject: 'Your receipt' }, newId(Date.now()));
    await world.templates.create(account.ref, template, { html: '<p>secret</p>', text: 'secret' });
    const { status, body, text } = await get(template.id);
    expect([status, body]).toEqual([200, { data: template }]);
    expect(text).not.toContain('secret');
  });

  it('200 shows an sms template without a subject', async () => {
    const template = sms();
    await world.templates.create(account.ref, template, { text: 'Your code is {{code}}.' });
    const { body } = await get(template.id);
    expect(body).toEqual({ data: template });
    expect(body.data).not.toHaveProperty('subject');
    expect(body.data).not.toHaveProperty('whatsappStatus');
  });

  it('200 shows a synced whatsapp template with its language and its status there', async () => {
    const template: Template = {
      ...sms(),
      channel: 'whatsapp',
      locale: 'bn-BD',
      whatsappStatus: 'PENDING',
      isActive: false,
    };
    await world.templates.put(account.ref, template, { text: 'secret' });
    expect((await get(template.id)).body).toEqual({ data: template });
  });

  it('404 answers an unknown id, a malformed id and another account’s template alike', async () => {
    const template = sms();
    await world.templates.create(account.ref, template, { text: 't' });
    const other = await world.newAccount();
    const answers = await Promise.all([
      get(template.id, other.key),
      get(newId(Date.now())),
      get('x'),
      get(template.id.toUpperCase().replace(/^0/, 'A')),
    ]);
    for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
    expect(answers[0]?.body.error.code).toBe('template_not_found');
  });
});
