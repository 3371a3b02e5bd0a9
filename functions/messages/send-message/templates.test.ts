import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { newTemplate, type Template, type TemplateBody } from '../../../shared/templates/template.ts';
import { openSending, type Sending } from './send-fixture.ts';

let sending: Sending;
beforeAll(async () => {
  sending = await openSending();
});
afterAll(() => sending.world.close());

const someone = () => `${randomUUID()}@example.com`;

const body: TemplateBody = {
  html: '<p>Dear {{name}}, order {{ order }}</p>',
  text: 'Dear {{name}}, order {{ order }}',
};

const store = async (changes: Partial<Template> = {}, says = body): Promise<string> => {
  const template = newTemplate(
    { channel: 'email', name: 'Receipt', subject: 'Receipt for {{name}}' },
    newId(Date.now()),
  );
  await sending.world.templates.put(sending.account.ref, { ...template, ...changes }, says);
  return template.id;
};
const refusal = async (message: object) => {
  const answer = await sending.send(message);
  return [answer.status, answer.body.error?.code, answer.body.error?.message];
};
const notFound = [404, 'template_not_found', 'templateId: no active template of this channel has this id'];

describe('POST /messages with a template', () => {
  it('201 sends what the template says, with the variables filled in', async () => {
    const to = someone();
    const { status } = await sending.send({
      channel: 'email',
      to,
      templateId: await store(),
      variables: { name: 'A & B', order: '7' },
    });
    expect(status).toBe(201);
    expect(await sending.mailTo(to)).toMatchObject({
      subject: 'Receipt for A & B',
      body: {
        html: expect.stringContaining('<p>Dear A &amp; B, order 7</p>'),
        text: expect.stringContaining('Dear A & B, order 7'),
      },
    });
  });

  it('201 leaves placeholders without a value as they are', async () => {
    const to = someone();
    await sending.send({ channel: 'email', to, templateId: await store(), variables: { name: 'Ada' } });
    expect((await sending.mailTo(to)).body.text).toContain('Dear Ada, order {{ order }}');
  });

  it('201 lets inline content win, field by field, and fills it too', async () => {
    const templateId = await store();
    const [subject, html, text] = [someone(), someone(), someone()];
    const variables = { name: 'Ada', order: '7' };
    await sending.send({ channel: 'email', to: subject, templateId, variables, subject: 'Own {{name}}', html: '' });
    await sending.send({ channel: 'email', to: html, templateId, variables, html: '<b>{{name}}</b>' });
    await sending.send({ channel: 'email', to: text, templateId, variables, text: 'own {{name}}' });
    const [first, second, third] = await Promise.all([subject, html, text].map((to) => sending.mailTo(to)));
    expect(first).toMatchObject({ subject: 'Own Ada', body: { html: expect.stringContaining('Dear Ada') } });
    expect(second).toMatchObject({
      subject: 'Receipt for Ada',
      body: { html: expect.stringContaining('<b>Ada</b>'), text: expect.stringContaining('Dear Ada') },
    });
    expect(third).toMatchObject({
      subject: 'Receipt for Ada',
      body: { html: expect.stringContaining('Dear Ada'), text: expect.stringContaining('own Ada') },
    });
  });

  it('201 sends a body that takes several items of the table', async () => {
    const to = someone();
    const html = Array.from({ length: 200_000 }, (_, n) => String.fromCodePoint(0x20000 + ((n * 7_919) % 40_000))).join(
      '',
    );
    expect((await sending.send({ channel: 'email', to, templateId: await store({}, { html }) })).status).toBe(201);
    expect((await sending.mailTo(to)).body.html?.trimEnd()).toBe(html);
  });

  it('404 answers an unknown, a malformed, an inactive template, a name, and one of another account or channel alike', async () => {
    const foreign = newTemplate({ channel: 'email', name: 'n', subject: 's' }, newId(Date.now()));
    await sending.world.templates.put((await sending.world.newAccount()).ref, foreign, body);
    const ids = [
      newId(Date.now()),
      'x',
      'Receipt',
      foreign.id,
      await store({ isActive: false }),
      await store({ channel: 'sms' }),
      await store({ channel: 'whatsapp', whatsappStatus: 'APPROVED' }),
    ];
    for (const templateId of ids) {
      expect(await refusal({ channel: 'email', to: someone(), templateId })).toEqual(notFound);
      expect(await refusal({ channel: 'email', to: someone(), templateId, subject: 's', text: 't' })).toEqual(notFound);
    }
  });

  it('404 refuses an empty template id beside inline content', async () => {
    expect(await refusal({ channel: 'email', to: someone(), templateId: '', subject: 's', text: 't' })).toEqual(
      notFound,
    );
    expect(await refusal({ channel: 'sms', to: '+8801700000000', templateId: '', text: 't' })).toEqual(notFound);
  });

  it('404 answers an email template on sms and whatsapp, before it looks at the number', async () => {
    const templateId = await store();
    for (const channel of ['sms', 'whatsapp']) {
      expect(await refusal({ channel, to: 'nobody', templateId })).toEqual(notFound);
    }
  });

  it('400 refuses an email that is left without subject or content', async () => {
    const bare = await store({ subject: undefined }, {});
    const blank = await store({ subject: '{{name}}' }, { html: '{{name}}' });
    const to = someone();
    expect(await refusal({ channel: 'email', to, templateId: bare })).toEqual([
      400,
      'invalid_request',
      'subject: is required; html or text: at least one is required',
    ]);
    expect(await refusal({ channel: 'email', to, templateId: bare, subject: 's' })).toEqual([
      400,
      'invalid_request',
      'html or text: at least one is required',
    ]);
    expect((await refusal({ channel: 'email', to, templateId: blank, variables: { name: '' } }))[1]).toBe(
      'invalid_request',
    );
    expect((await sending.send({ channel: 'email', to, templateId: bare, subject: 's', text: 't' })).status).toBe(201);
  });

  it('400 says so before it looks at the recipient', async () => {
    expect((await refusal({ channel: 'email', to: 'x', templateId: await store({ subject: undefined }, {}) }))[1]).toBe(
      'invalid_request',
    );
  });
});
