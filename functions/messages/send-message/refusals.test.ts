import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detailsOf } from '../../../shared/contacts/contact.ts';
import { newId } from '../../../shared/kit/id.ts';
import { mail, openSending, type Sending } from './send-fixture.ts';

let sending: Sending;
beforeAll(async () => {
  sending = await openSending();
});
afterAll(() => sending.world.close());

const refusal = async (body: unknown, key?: string) => {
  const answer = await sending.send(body, key === undefined ? {} : { key });
  return [answer.status, answer.body.error?.code, answer.body.error?.message];
};
const invalid = (message: string) => [400, 'invalid_request', message];

describe('POST /messages', () => {
  it.each([
    ['', 'body: is required, as a JSON object'],
    ['{', 'body: is not valid JSON'],
    ['[]', 'body: must be a JSON object, not an array'],
    [
      `{"metadata":{"note":"\\ud800"}}`,
      'metadata.note: must not contain half of a surrogate pair (an unpaired \\ud800 to \\udfff)',
    ],
    ['null', 'body: must be a JSON object, not null'],
    ['"email"', 'body: must be a JSON object, not a string'],
    [
      `{"channel":"email","metadata":${'{"a":'.repeat(64)}1${'}'.repeat(64)}}`,
      'body: must not be nested more than 64 levels deep',
    ],
  ])('400 refuses the body %j', async (body, message) => {
    expect(await refusal(body)).toEqual(invalid(message));
  });

  it.each([
    [{}, 'channel: is required; to: is required'],
    [{ channel: 'email' }, 'to: is required; subject: is required; html or text: at least one is required'],
    [{ channel: 'sms' }, 'to: is required; text: is required'],
    [{ ...mail, subject: '', metadata: [] }, 'metadata: must be an object; subject: is required'],
    [{ ...mail, subject: '', variables: { n: 1 } }, 'variables: must be an object of strings; subject: is required'],
    [{ ...mail, channel: 'push' }, 'channel: must be one of email, sms, whatsapp'],
    [{ ...mail, channel: 'Email' }, 'channel: must be one of email, sms, whatsapp'],
    [{ ...mail, to: 8801700000000 }, 'to: must be a string'],
    [
      { ...mail, to: ['ada@example.com'] },
      'to: must be one recipient, not an array: POST /messages/batch takes up to 100 messages',
    ],
    [{ ...mail, to: null }, 'to: must be a string'],
    [{ ...mail, subject: undefined }, 'subject: is required'],
    [{ ...mail, subject: '' }, 'subject: is required'],
    [{ ...mail, subject: '  ' }, 'subject: is required'],
    [{ ...mail, subject: 7 }, 'subject: must be a string'],
    [{ ...mail, subject: 'x'.repeat(501) }, 'subject: must be at most 500 characters'],
    [{ ...mail, subject: '😀'.repeat(501) }, 'subject: must be at most 500 characters'],
    [{ ...mail, subject: '{{x}}', variables: { x: '' } }, 'subject: must not be blank with its variables expanded'],
    [{ ...mail, text: undefined }, 'html or text: at least one is required'],
    [{ ...mail, text: '', html: '' }, 'html or text: at least one is required'],
    [{ ...mail, text: undefined, html: 1 }, 'html: must be a string'],
    [{ ...mail, text: {} }, 'text: must be a string'],
    [{ ...mail, from: 'news' }, 'from: must be an email address'],
    [{ ...mail, from: 'News <news@example.com>' }, 'from: must be an email address alone: the name goes in fromName'],
    [{ ...mail, from: 1 }, 'from: must be a string'],
    [{ ...mail, fromName: 'x'.repeat(201) }, 'fromName: must be at most 200 characters'],
    [{ ...mail, fromName: 'a "b" c' }, 'fromName: must not contain double quotes'],
    [{ ...mail, fromName: 'a\n"b"' }, 'fromName: must not contain control characters (found U+000A)'],
    [{ ...mail, replyTo: 'a@b.co, c@d.co' }, 'replyTo: must be an email address'],
    [{ ...mail, replyTo: '' }, 'replyTo: must be an email address'],
    [{ ...mail, replyTo: 'Ada <ada@example.com>' }, 'replyTo: must be an email address alone, without a name'],
    [{ ...mail, templateId: 1 }, 'templateId: must be a string'],
    [{ ...mail, variables: [] }, 'variables: must be an object of strings'],
    [{ ...mail, variables: { n: 1 } }, 'variables: must be an object of strings'],
    [{ ...mail, variables: { n: null } }, 'variables: must be an object of strings'],
    [{ ...mail, variables: 'x' }, 'variables: must be an object of strings'],
    [{ ...mail, tags: 'a' }, 'tags: must be an array'],
    [{ ...mail, tags: ['a', 1] }, 'tags.1: must be a string'],
    [{ ...mail, metadata: [] }, 'metadata: must be an object'],
    [{ ...mail, metadata: 'x' }, 'metadata: must be an object'],
    [{ ...mail, attachments: {} }, 'attachments: must be an array'],
    [
      { channel: 'email', to: 1, subject: 'a\rb', from: 'x', replyTo: 'y', tags: 1 },
      'to: must be a string; tags: must be an array; html or text: at least one is required; ' +
        'subject: must not contain control characters (found U+000D); from: must be an email address; replyTo: must be an email address',
    ],
  ])('400 refuses %j', async (body, message) => {
    expect(await refusal(body)).toEqual(invalid(message));
  });

  it.each(['subject', 'fromName'])('400 refuses control characters in %s, and says what was found', async (field) => {
    for (const [end, found] of [
      ['\r', 'D'],
      ['\n', 'A'],
      ['\r\n', 'D'],
      ['\0', '0'],
      ['\t', '9'],
    ] as const) {
      for (const value of [`a${end}Bcc: eve@example.com`, `${end}a`, `a${end}`]) {
        const message = `${field}: must not contain control characters (found U+000${found})`;
        expect(await refusal({ ...mail, [field]: value })).toEqual(invalid(message));
      }
    }
    for (const [separator, found] of [
      ['\u2028', 'U+2028'],
      ['\u2029', 'U+2029'],
    ]) {
      const message = `${field}: must not contain control characters (found ${found})`;
      expect(await refusal({ ...mail, [field]: `a${separator}b` })).toEqual(invalid(message));
    }
  });

  it('400 refuses control characters in a tag', async () => {
    const message = 'tags.1: must not contain control characters (found U+0000)';
    expect(await refusal({ ...mail, tags: ['a', 'b\0'] })).toEqual(invalid(message));
  });

  it('400 takes a blank subject, html or text for none', async () => {
    expect(await refusal({ ...mail, subject: ' ' })).toEqual(invalid('subject: is required'));
    expect(await refusal({ ...mail, text: ' \n', html: '\t' })).toEqual(
      invalid('html or text: at least one is required'),
    );
    expect(await refusal({ ...mail, text: '{{a}}', variables: { a: ' ' } })).toEqual(
      invalid('html or text: must not be blank with its variables expanded'),
    );
  });

  it.each(['from', 'replyTo'])('400 refuses line breaks, NUL and a second address in %s', async (field) => {
    for (const end of ['\r\nBcc: eve@example.com', '\n', '\0', ',eve@example.com', ' <eve@example.com>', '>\r\n']) {
      const [status, code, message] = await refusal({ ...mail, [field]: `ada@example.com${end}` });
      expect([status, code]).toEqual([400, 'invalid_request']);
      expect(message).toContain(`${field}: must be an email address`);
    }
  });

  it('201 makes no header of what is encoded to look like one', async () => {
    const smuggled = [
      '=?utf-8?Q?a=0D=0ABcc:_eve@evil.example?=',
      'a%0d%0aBcc: eve@evil.example',
      'a\\r\\nBcc: eve@evil.example',
      'a\u0085Bcc: eve@evil.example',
      'a\u010dBcc: eve@evil.example',
      'a\u560a\u560dBcc: eve@evil.example',
    ];
    for (const [n, value] of smuggled.entries()) {
      const to = `smuggled-${n}@example.com`;
      expect((await sending.send({ ...mail, to, subject: value, fromName: value })).status).toBe(201);
      const { headers, destination } = await sending.mailTo(to);
      expect(headers.map(({ name }) => name.toLowerCase())).not.toContain('bcc');
      expect(destination).toEqual({ to: [to], cc: [], bcc: [] });
    }
    expect(await sending.mails('eve@evil.example')).toEqual([]);
  });

  it.each([
    '',
    'ada',
    'ada@localhost',
    '+8801700000000',
    'a@b.co,c@d.co',
    'ada@example.com\r\nBcc: eve@example.com',
    `${'a'.repeat(65)}@example.com`,
    `${'a'.repeat(64)}@${'d.'.repeat(126)}info`,
  ])('400 refuses to send to %j', async (to) => {
    expect(await refusal({ ...mail, to })).toEqual([400, 'invalid_recipient', 'to: must be an email address']);
  });

  it('400 refuses a name beside the recipient, and says that the address stands alone', async () => {
    const message = 'to: must be an email address alone, without a name';
    expect(await refusal({ ...mail, to: 'Ada <ada@example.com>' })).toEqual([400, 'invalid_recipient', message]);
  });

  it.each(['sms', 'whatsapp'])('400 refuses to send %s to a recipient that is not a number', async (channel) => {
    for (const to of ['ada@example.com', '123456', '1234567890123456', '']) {
      expect(await refusal({ channel, to, text: 't' })).toEqual([
        400,
        'invalid_recipient',
        'to: must be a phone number in E.164 format, with + and its country code, 7 to 15 digits, for example +8801700000000',
      ]);
    }
  });

  it.each([
    ['tags', 50_000],
    ['metadata', 250_000],
  ])('400 refuses more than the table can hold in %s', async (field, most) => {
    const around = field === 'tags' ? '[""]'.length : '{"k":""}'.length;
    const of = (bytes: number) => ({
      ...mail,
      [field]: field === 'tags' ? ['x'.repeat(bytes - around)] : { k: 'x'.repeat(bytes - around) },
    });
    expect((await sending.send(of(most))).status).toBe(201);
    const [status, code, message] = await refusal(of(most + 1));
    expect([status, code]).toEqual([400, 'invalid_request']);
    expect(message).toMatch(new RegExp(`^${field}: must be at most ${most} bytes`));
  });

  it('201 holds the most tags and metadata together', async () => {
    const tags = ['x'.repeat(50_000 - 4)];
    const metadata = { k: 'x'.repeat(250_000 - 8) };
    expect((await sending.send({ ...mail, tags, metadata })).status).toBe(201);
  });

  it('402 refuses without credits and leaves nothing behind', async () => {
    const { ref, key } = await sending.world.newAccount({ credits: { email: 0 } });
    const to = 'unfunded@example.com';
    for (let n = 0; n < 2; n += 1) {
      expect((await refusal({ ...mail, to }, key)).slice(0, 2)).toEqual([402, 'insufficient_credits']);
    }
    expect(await sending.traces(ref)).toEqual({ credits: 0, messages: 0, contacts: 0 });
    expect(await sending.mails(to)).toEqual([]);
  });

  it('402 ends once there are credits, under the same idempotency key', async () => {
    const { ref, key } = await sending.world.newAccount({ credits: { email: 0 } });
    const send = async () => (await sending.send(mail, { key, headers: { 'idempotency-key': 'k' } })).status;
    expect([await send(), await send()]).toEqual([402, 402]);
    await sending.world.setCredits(ref, { email: 1, smsMasked: 0, smsNonMasked: 0 });
    expect([await send(), await send()]).toEqual([201, 201]);
    expect((await sending.traces(ref)).credits).toBe(0);
  });

  it('names the first failure: validation, template, recipient, frozen account, retired contact, credits', async () => {
    const { world } = sending;
    const frozen = await world.newAccount({ settings: { status: 'frozen' }, credits: { email: 0 } });
    const poor = await world.newAccount({ credits: { email: 0 } });
    for (const { ref } of [frozen, poor]) {
      const id = newId(Date.now());
      const details = detailsOf({ email: 'gone@example.com' });
      await world.contacts.create(ref, { id, details }, Date.now());
      await world.contacts.retire(ref, id, Date.now());
    }
    const templateId = newId(Date.now());
    const codes = async (changes: object, key = frozen.key) =>
      (await refusal({ ...mail, ...changes }, key)).slice(0, 2);
    expect(await codes({ to: 'x', templateId, tags: 1 })).toEqual([400, 'invalid_request']);
    expect(await codes({ to: 'x', templateId })).toEqual([404, 'template_not_found']);
    expect(await codes({ to: 'x' })).toEqual([400, 'invalid_recipient']);
    expect(await refusal({ ...mail, to: 'gone@example.com' }, frozen.key)).toEqual([
      422,
      'send_blocked',
      expect.stringContaining('frozen'),
    ]);
    expect(await refusal({ ...mail, to: 'Gone@Example.com' }, poor.key)).toEqual([
      422,
      'send_blocked',
      expect.stringContaining('retired'),
    ]);
    expect(await codes({}, poor.key)).toEqual([402, 'insufficient_credits']);
    expect((await sending.traces(poor.ref)).messages).toBe(0);
  });
});
