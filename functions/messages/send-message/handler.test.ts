import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { newTemplate } from '../../../shared/templates/template.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { mail, openSending, platformAddress, type Sending } from './send-fixture.ts';

let sending: Sending;
beforeAll(async () => {
  sending = await openSending();
});
afterAll(() => sending.world.close());

/** An address unique to this test. */
const someone = () => `${randomUUID()}@example.com`;

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('POST /messages', () => {
  it('201 sends an email and answers the message', async () => {
    const to = someone();
    const { status, body, headers } = await sending.send({ ...mail, to });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        channel: 'email',
        status: 'sent',
        to,
        tags: [],
        metadata: {},
        createdAt: expect.stringMatching(instant),
        sentAt: expect.stringMatching(instant),
        deliveredAt: null,
        failedAt: null,
        failureReason: null,
        failureCode: null,
      },
    });
    expect(headers['X-RateLimit-Limit']).toBe('100000');
    expect(await sending.mailTo(to)).toMatchObject({
      from: 'hello@example.com',
      replyTo: [],
      destination: { to: [to], cc: [], bcc: [] },
      subject: 'Hello',
      body: { html: null, text: expect.stringMatching(/^It works\.\s*$/) },
      attachments: [],
      tags: { messageId: body.data.id, accountId: sending.account.ref.id },
    });
    expect(await sending.world.messages.find(sending.account.ref, body.data.id)).toMatchObject(body.data);
  });

  it('201 names the message in the line of the request that sent it', async () => {
    const ids: string[] = [];
    const lines = await linesOf(async () => ids.push((await sending.send(mail)).body.data.id));
    const accountId = sending.account.ref.id;
    expect(lines).toContainEqual(expect.objectContaining({ message: 'answered', accountId, messageId: ids[0] }));
  });

  it('201 sends HTML with text as its alternative, and either alone', async () => {
    const [both, html] = [someone(), someone()];
    await sending.send({ ...mail, to: both, html: '<p>Grüße 😀</p>' });
    await sending.send({ ...mail, to: html, html: '<p>only</p>', text: undefined });
    expect((await sending.mailTo(both)).body).toEqual({
      html: expect.stringContaining('<p>Grüße 😀</p>'),
      text: expect.stringContaining('It works.'),
    });
    expect((await sending.mailTo(html)).body).toEqual({ html: expect.stringContaining('<p>only</p>'), text: null });
  });

  it('201 leaves the List-Unsubscribe headers out where the send, or else the account, says so', async () => {
    const { world, send, mailTo } = sending;
    const quiet = await world.newAccount();
    const found = await world.accounts.find(quiet.ref.id);
    if (!found) throw new Error('the account is gone');
    await world.accounts.save(found, { ...found, email: { ...found.email, listUnsubscribe: false } }, Date.now());
    const isListed = async (key: string, listUnsubscribe?: boolean) => {
      const to = someone();
      expect((await send({ ...mail, to, listUnsubscribe }, { key })).status).toBe(201);
      const names = (await mailTo(to)).headers.map(({ name }) => name.toLowerCase());
      return names.filter((name) => name.startsWith('list-unsubscribe')).length === 2;
    };
    const { key } = sending.account;
    expect([await isListed(key), await isListed(key, true), await isListed(key, false)]).toEqual([true, true, false]);
    expect([await isListed(quiet.key), await isListed(quiet.key, true)]).toEqual([false, true]);
  });

  it('201 costs one credit and one message', async () => {
    const { ref, key } = await sending.world.newAccount({ credits: { email: 2 } });
    await sending.send(mail, { key });
    expect(await sending.traces(ref)).toEqual({ credits: 1, messages: 1, contacts: 1 });
  });

  it('201 needs four calls to the table, also with a template, and one more to a new recipient', async () => {
    const { world, send } = sending;
    const { ref, key } = await world.newAccount();
    const template = newTemplate({ channel: 'email', name: 'n', subject: 's' }, newId(Date.now()));
    await world.templates.create(ref, template, { html: '<p>h</p>'.repeat(20_000) });
    const nowMs = Date.now();
    const clock = () => nowMs;
    await send(mail, { key, clock });

    const calls: string[] = [];
    const stop = world.calls.tap('counting', (next) => (name, input) => {
      calls.push(name);
      return next(name, input);
    });
    const four = ['UpdateItem', 'BatchGetItem', 'TransactWriteItems', 'UpdateItem'];
    const five = four.toSpliced(2, 0, 'PutItem');
    for (const [body, needed] of [
      [mail, four],
      [{ ...mail, to: someone() }, five],
      [{ ...mail, templateId: template.id, subject: undefined }, four],
      [{ channel: 'email', to: someone(), templateId: template.id }, five],
    ] as const) {
      calls.length = 0;
      expect((await send(body, { key, clock })).status).toBe(201);
      expect(calls).toEqual(needed);
    }
    stop();
  });

  it.each([
    ["o'brien+tag@sub.example.co.uk", "o'brien+tag@sub.example.co.uk"],
    ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
    ['Mixed.Case@Example.COM', 'Mixed.Case@example.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('201 sends to %s, and shows it as it was sent', async (to, delivered) => {
    const { status, body } = await sending.send({ ...mail, to });
    expect([status, body.data?.to]).toEqual([201, to]);
    expect((await sending.mailTo(delivered)).destination.to).toEqual([delivered]);
  });

  it('201 takes an address of 320 characters', async () => {
    const label = 'd'.repeat(63);
    const to = `${'a'.repeat(64)}@${label}.${label}.${label}.${'d'.repeat(59)}.com`;
    expect(to).toHaveLength(320);
    expect((await sending.send({ ...mail, to })).status).toBe(201);
  });

  it.each([
    ['news@example.com', 'news@example.com'],
    ['news@EXAMPLE.com', 'news@example.com'],
    ['news@other.example', platformAddress],
    ['news@example.com.other.example', platformAddress],
    [undefined, 'hello@example.com'],
  ])('201 comes from %s as %s', async (from, seen) => {
    const to = someone();
    expect((await sending.send({ ...mail, to, from })).status).toBe(201);
    expect((await sending.mailTo(to)).from).toBe(seen);
  });

  it.each([
    'Ada',
    'Zoë Müller',
    'অ্যাডা',
    '陈'.repeat(66),
    'Lovelace, Ada <ada@evil.example>',
    "O'Neil; (x)",
    'back\\slash',
    '😀'.repeat(200),
  ])('201 carries the name %s', async (fromName) => {
    const to = someone();
    expect((await sending.send({ ...mail, to, from: 'news@other.example', fromName })).status).toBe(201);
    expect((await sending.mailTo(to)).from).toBe(`"${fromName.replaceAll('\\', '\\\\')}" <${platformAddress}>`);
  });

  it('201 carries where to reply to', async () => {
    const to = someone();
    await sending.send({ ...mail, to, replyTo: 'Help+1@bücher.example' });
    expect((await sending.mailTo(to)).replyTo).toEqual(['Help+1@xn--bcher-kva.example']);
  });

  it.each([['a'.repeat(500)], ['é'.repeat(500)], ['😀'.repeat(500)], ['two words '.repeat(50)], ['বাংলা বিষয়']])(
    '201 carries the subject %s',
    async (subject) => {
      const to = someone();
      expect((await sending.send({ ...mail, to, subject })).status).toBe(201);
      expect((await sending.mailTo(to)).subject.trim()).toBe(subject.trim());
    },
  );

  it('201 fills variables in: escaped in HTML, on one line in the subject, as they are in text', async () => {
    const to = someone();
    await sending.send({
      ...mail,
      to,
      subject: 'Hi {{ name }} {{unknown}}',
      html: '<p>{{name}}</p>',
      text: '{{name}}',
      variables: { name: '<Ada>\r\nBcc: eve@example.com' },
    });
    const { subject, body, destination, headers } = await sending.mailTo(to);
    expect(subject).toBe('Hi <Ada>Bcc: eve@example.com {{unknown}}');
    expect(body.html).toContain('<p>&lt;Ada&gt;');
    expect(body.text).toContain('<Ada>\nBcc: eve@example.com');
    expect(destination.bcc).toEqual([]);
    expect(headers.map(({ name }) => name.toLowerCase())).not.toContain('bcc');
  });

  it('201 gives tags back in their order', async () => {
    const tags = ['b', 'a', 'b', '', '😀', '{{x}}'];
    const { body } = await sending.send({ ...mail, tags, variables: { x: 'y' } });
    expect(body.data.tags).toEqual(tags);
    expect((await sending.world.messages.find(sending.account.ref, body.data.id))?.tags).toEqual(tags);
  });

  it('201 takes null for an optional field as left out', async () => {
    const nulls = { html: null, from: null, fromName: null, replyTo: null, templateId: null, variables: null };
    const { status, body } = await sending.send({ ...mail, ...nulls, tags: null, metadata: null, attachments: null });
    expect([status, body.data.tags, body.data.metadata]).toEqual([201, [], {}]);
  });

  it.each([
    '{}',
    '{ "b" : 1,\r\n\t"a":[ null,true,{"x":""} ] }',
    '{"b":1,"2":1,"1":1,"same":1,"same":"\\u0041\\/"}',
    '{"__proto__":{"polluted":true},"constructor":"x","toString":1}',
    '{"big":1e400,"long":12345678901234567890,"small":-1.50E-9,"minus":-0,"whole":1.0}',
    '{"escaped":"\\ud83d\\ude00","pair":"😀","nul":"\\u0000"}',
    `{"deep":${'['.repeat(20)}"x"${']'.repeat(20)}}`,
    `{"${'k'.repeat(1_000)}":"${'v'.repeat(200_000)}"}`,
  ])('201 gives metadata back to the letter, and keeps it so: %#', async (metadata) => {
    const { status, text, body } = await sending.send(
      `{"metadata":[],"channel":"email","to":"ada@example.com","subject":"s","text":"t","meta\\u0064ata" : ${metadata} }`,
    );
    expect(status).toBe(201);
    expect(text).toContain(`"metadata":${metadata},"createdAt"`);
    const found = await sending.world.messages.find(sending.account.ref, body.data.id);
    expect(found?.metadata.text).toBe(metadata);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('201 ignores unknown fields', async () => {
    const { status, body } = await sending.send({
      ...mail,
      id: 'x',
      status: 'delivered',
      bcc: 'eve@example.com',
      headers: { Bcc: 'x' },
    });
    expect([status, body.data.status]).toEqual([201, 'sent']);
    expect(body.data.id).not.toBe('x');
  });

  it('201 replays under an idempotency key and sends once', async () => {
    const to = someone();
    const headers = { 'idempotency-key': to };
    const first = await sending.send({ ...mail, to }, { headers });
    const second = await sending.send({ ...mail, to, subject: 'Other' }, { headers });
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect((await sending.mailTo(to)).subject).toBe('Hello');
  });

  it('201 sends once when a request is repeated under its id, also at the same time', async () => {
    const { ref } = await sending.world.newAccount();
    const to = someone();
    const id = newId(Date.now());
    const [first] = await Promise.all([1, 2, 3].map(() => sending.sendAs(id, { ...mail, to }, ref)));
    const again = await sending.sendAs(id, { ...mail, to }, ref);
    expect([first?.id, again.id, again.status]).toEqual([id, id, 'sent']);
    await sending.mailTo(to);
    expect(await sending.traces(ref)).toEqual({ credits: 99, messages: 1, contacts: 1 });
  });
});
