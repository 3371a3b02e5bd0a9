import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { changedTemplate, newTemplate, type Template } from '../../../shared/templates/template.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { previewTemplateContract } from './contract.ts';
import { previewTemplate } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const preview = (id: string, body: unknown, key = account.key) =>
  call(endpoint(previewTemplateContract, previewTemplate(world), world.callers('templates:read')), {
    key,
    path: { id },
    body,
  });
const email = () =>
  world.templates.create(
    account.ref,
    newTemplate({ channel: 'email', name: 'Receipt', subject: 'Order {{number}}' }, newId(Date.now())),
    { html: '<p>{{ name }} {{city}}</p>', text: '{{name}}' },
  );
const textOf = (channel: Template['channel'], text: string) => {
  const template = { ...newTemplate({ channel: 'sms', name: 'Code' }, newId(Date.now())), channel };
  return world.templates.create(account.ref, template, { text });
};

describe('POST /templates/{id}/preview', () => {
  it('200 shows what a mail would say, and which variables are missing or not used', async () => {
    const { id } = await email();
    const { status, body } = await preview(id, { variables: { name: 'A & B', number: '7\n8', plan: 'pro' } });
    expect([status, body]).toEqual([
      200,
      {
        data: {
          subject: 'Order 78',
          html: '<p>A &amp; B {{city}}</p>',
          text: 'A & B',
          missingVariables: ['city'],
          unusedVariables: ['plan'],
          segments: null,
        },
      },
    ]);
  });

  it('400 refuses a mail that is too long for an answer, although it could be sent', async () => {
    const { id } = await email();
    const { status, body } = await preview(id, { variables: { name: 'x'.repeat(1_300_000) } });
    expect([status, body.error.message]).toEqual([400, 'html, text: the expanded message is too long to be shown']);
    expect((await preview(id, { variables: { name: 'x'.repeat(1_200_000) } })).status).toBe(200);
  });

  it('400 refuses names of unused variables that are too long for an answer', async () => {
    const { id } = await email();
    const { status, body } = await preview(id, { variables: { ['x'.repeat(2_600_000)]: '' } });
    const reason = 'variables: the names that have no placeholder are too long to be shown';
    expect([status, body.error?.message]).toEqual([400, reason]);
  });

  it('200 counts the segments of an sms with its variables', async () => {
    const { id } = await textOf('sms', 'Code {{code}}');
    const { data } = (await preview(id, { variables: { code: '৳'.repeat(70) } })).body;
    expect(data).toMatchObject({ subject: null, html: null, segments: 2, missingVariables: [], unusedVariables: [] });
    expect((await preview(id, {})).body.data).toMatchObject({ text: 'Code {{code}}', missingVariables: ['code'] });
  });

  it('200 shows a whatsapp template too', async () => {
    const { id } = await textOf('whatsapp', 'Hi {{1}}');
    expect((await preview(id, { variables: { '1': 'Ada' } })).body.data).toMatchObject({
      text: 'Hi Ada',
      segments: null,
    });
  });

  it('200 shows an earlier version', async () => {
    const { id } = await textOf('sms', 'first');
    await world.templates.change(account.ref, id, (before) => changedTemplate(before, { textContent: 'second' }, 1));
    const texts = await Promise.all([1, 2, undefined].map(async (version) => (await preview(id, { version })).body));
    expect(texts.map(({ data }) => data.text)).toEqual(['first', 'second', 'second']);
    expect((await preview(id, { version: 3 })).body.error.code).toBe('template_not_found');
  });

  it('200 shows the own words of a template that is longer than a send may be, until it has its variables', async () => {
    const words = `Dear {{customerFirstNameAndLastName}}, ${'x'.repeat(1_480)}`;
    const { id } = await textOf('sms', words);
    expect((await preview(id, {})).body.data).toMatchObject({ text: words, segments: 10 });
    const longer = await textOf('sms', `${words} {{orderReferenceNumber}}`);
    expect((await preview(longer.id, {})).body.data).toMatchObject({ segments: 11 });
    expect((await preview(longer.id, { variables: {} })).status).toBe(400);
    const variables = { customerFirstNameAndLastName: 'Ada', orderReferenceNumber: '7' };
    expect((await preview(longer.id, { variables })).body.data).toMatchObject({ segments: 10 });
  });

  it('400 refuses what a send would refuse', async () => {
    const { id } = await textOf('sms', '{{long}}');
    for (const body of [{ variables: { long: 'x'.repeat(2_000) } }, { variables: { a: 1 } }, { version: 0 }, []])
      expect((await preview(id, body)).body.error.code).toBe('invalid_request');
  });

  it('404 an unknown, malformed or foreign template', async () => {
    const [{ id }, other] = [await email(), await world.newAccount()];
    for (const answer of [await preview(newId(1), {}), await preview('x', {}), await preview(id, {}, other.key)])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'template_not_found']);
    expect((await preview(id, { version: 99 })).body.error).toMatchObject({
      code: 'template_not_found',
      message: expect.stringContaining('version 99'),
    });
  });
});
