import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { createTemplateContract } from './contract.ts';
import { createTemplate } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const create = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  call(endpoint(createTemplateContract, createTemplate(world), world.callers('templates:write')), {
    key: account.key,
    headers,
    body,
  });
const contentOf = async (id: string) =>
  (await world.sends.read(account.ref, { channel: 'email', templateId: id })).template?.content;

const email = { channel: 'email', name: 'Receipt', subject: 'Your receipt', htmlContent: '<p>Thank you.</p>' };
const sms = { channel: 'sms', name: 'Code', textContent: 'Your code is {{code}}.' };
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('POST /templates', () => {
  it('201 stores an email template and never shows what it says', async () => {
    const { status, body } = await create({
      ...email,
      description: 'After an order',
      textContent: 'Thank you, {{name}}.',
      variables: ['name', 'order number'],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        channel: 'email',
        locale: 'en',
        name: 'Receipt',
        description: 'After an order',
        subject: 'Your receipt',
        variables: ['name', 'order number'],
        isActive: true,
        createdAt: expect.stringMatching(instant),
        updatedAt: body.data.createdAt,
      },
    });
    expect(await contentOf(body.data.id)).toEqual({
      subject: 'Your receipt',
      html: '<p>Thank you.</p>',
      text: 'Thank you, {{name}}.',
    });
  });

  it('201 stores an sms template, which has neither subject nor HTML', async () => {
    const { status, body } = await create({ ...sms, subject: 'ignored', htmlContent: '<p>ignored</p>' });
    expect(status).toBe(201);
    expect(Object.keys(body.data).sort()).toEqual([
      'channel',
      'createdAt',
      'description',
      'id',
      'isActive',
      'locale',
      'name',
      'updatedAt',
      'variables',
    ]);
    expect(body.data).toMatchObject({ channel: 'sms', locale: 'en', description: null, variables: [] });
    expect(await contentOf(body.data.id)).toEqual({ text: 'Your code is {{code}}.' });
  });

  it('201 takes an email template of text alone', async () => {
    expect((await create({ ...email, htmlContent: undefined, textContent: 'Hi' })).status).toBe(201);
  });

  it('201 keeps names as they were sent, blanks, braces and scripts included', async () => {
    const sent = { name: ' {{রসিদ}} 😀 ', description: '', subject: ' s ', variables: ['নাম', 'a', 'a'] };
    expect((await create({ ...email, ...sent })).body.data).toMatchObject(sent);
  });

  it('201 ignores what a caller may not set', async () => {
    const sent = { id: newId(1), locale: 'bn', isActive: false, whatsappStatus: 'APPROVED', createdAt: 'x', x: 1 };
    const { body } = await create({ ...email, ...sent });
    expect(body.data).toMatchObject({ locale: 'en', isActive: true });
    expect(body.data.id).not.toBe(sent.id);
    expect(body.data).not.toHaveProperty('whatsappStatus');
  });

  it.each([
    ['name', 100],
    ['description', 500],
    ['subject', 255],
    ['htmlContent', 200_000],
    ['textContent', 5_000],
  ])('%s may have %i characters of any script, and not one more', async (field, most) => {
    for (const letter of ['a', 'é', '😀']) {
      expect((await create({ ...email, [field]: letter.repeat(most) })).status).toBe(201);
      const { status, body } = await create({ ...email, [field]: letter.repeat(most + 1) });
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(body.error.message).toBe(`${field}: must be at most ${most} characters`);
    }
  });

  it('variables may be 50 names of 1 to 64 characters, and no more', async () => {
    const of = async (variables: unknown) => (await create({ ...email, variables })).status;
    expect(await of(Array(50).fill('😀'.repeat(64)))).toBe(201);
    expect(await of([])).toBe(201);
    expect(await of(Array(51).fill('a'))).toBe(400);
    expect(await of(['a'.repeat(65)])).toBe(400);
    expect(await of([''])).toBe(400);
  });

  it.each([
    [{ ...email, subject: undefined }, 'subject: is required for email templates'],
    [{ ...email, subject: ' ' }, 'subject: is required for email templates'],
    [{ ...email, htmlContent: undefined }, 'htmlContent or textContent: at least one is required'],
    [{ ...email, htmlContent: '', textContent: '' }, 'htmlContent or textContent: at least one is required'],
    [{ ...email, htmlContent: ' \n', textContent: ' ' }, 'htmlContent or textContent: at least one is required'],
    [{ ...sms, textContent: '  ' }, 'textContent: is required'],
    [{ ...sms, textContent: undefined }, 'textContent: is required'],
    [{ ...sms, textContent: undefined, htmlContent: '<p>' }, 'textContent: is required'],
    [{ ...email, channel: 'whatsapp' }, 'channel: must be one of email, sms'],
    [{ ...email, channel: 'EMAIL' }, 'channel: must be one of email, sms'],
    [{ ...email, name: '' }, 'name: must not be blank'],
    [{ ...email, name: '  ' }, 'name: must not be blank'],
    [{ ...email, name: 'a\tb' }, 'name: must not contain control characters (found U+0009)'],
    [{ ...email, name: 7 }, 'name: must be a string'],
    [{ ...email, subject: 'a\r\nBcc: eve@example.com' }, 'subject: must not contain control characters (found U+000D)'],
    [{ ...email, subject: 'a\0' }, 'subject: must not contain control characters (found U+0000)'],
    [{ ...email, variables: 'name' }, 'variables: must be an array'],
    [{ ...email, variables: ['{{name}}'] }, 'variables.0: must be a name without braces'],
    [{ ...email, variables: ['a', 'b}'] }, 'variables.1: must be a name without braces'],
    [{ ...email, variables: [1] }, 'variables.0: must be a string'],
    [{}, 'channel: is required; name: is required'],
    [
      { channel: 'email' },
      'name: is required; subject: is required for email templates; htmlContent or textContent: at least one is required',
    ],
    [{ channel: 'sms', name: 'x'.repeat(101) }, 'name: must be at most 100 characters; textContent: is required'],
  ])('400 refuses %j', async (sent, message) => {
    const { status, body } = await create(sent);
    expect([status, body]).toEqual([
      400,
      { error: { code: 'invalid_request', message, docsUrl: '/docs/errors#invalid_request' } },
    ]);
  });

  it('400 stores nothing of a template that is refused', async () => {
    const other = await world.newAccount();
    const { status } = await call(
      endpoint(createTemplateContract, createTemplate(world), world.callers('templates:write')),
      {
        key: other.key,
        body: { ...email, subject: undefined },
      },
    );
    expect(status).toBe(400);
    expect(await world.templates.list(other.ref)).toEqual([]);
  });

  it('201 gives the template of a first try that was cut off after it was written', async () => {
    const id = newId(Date.now() - 60_000);
    const again = async (name: string) => {
      const input = { account: account.ref, path: {}, query: {}, newId: id, nowMs: Date.now() };
      return createTemplate(world)({ ...input, body: createTemplateContract.body.parse({ ...email, name }) });
    };
    const first = await again('First');
    expect(await again('Second')).toEqual(first);
    expect(first.createdAt < new Date(Date.now() - 30_000).toISOString()).toBe(true);
    expect((await world.templates.list(account.ref)).filter((template) => template.id === id)).toEqual([first]);
  });

  it('201 replays under an idempotency key and stores once', async () => {
    const other = await world.newAccount();
    const send = () =>
      call(endpoint(createTemplateContract, createTemplate(world), world.callers('templates:write')), {
        key: other.key,
        headers: { 'idempotency-key': 'k' },
        body: email,
      });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers['Idempotent-Replay']).toBe('true');
    expect(await world.templates.list(other.ref)).toHaveLength(1);
  });
});
