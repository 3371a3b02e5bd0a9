import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mail, openSending, type Sending } from './send-fixture.ts';

let sending: Sending;
beforeAll(async () => {
  sending = await openSending();
});
afterAll(() => sending.world.close());

const file = { filename: 'note.txt', content: Buffer.from('Hi').toString('base64') };
const sevenMegabytes = 7 * 1024 * 1024;

const refusal = async (attachments: unknown, changes: object = {}) => {
  const { status, body } = await sending.send({ ...mail, ...changes, attachments });
  return [status, body.error?.code, body.error?.message];
};

describe('POST /messages with attachments', () => {
  it('201 sends files byte for byte, with their names and types', async () => {
    const to = 'files@example.com';
    const sent = [
      { filename: 'রসিদ "1".pdf', content: randomBytes(100_000).toString('base64'), contentType: 'application/pdf' },
      {
        filename: 'a;b=c, d.csv',
        content: Buffer.from('a,b\r\n.\r\n').toString('base64'),
        contentType: 'text/csv; charset=utf-8',
      },
      { filename: 'empty', content: '' },
    ];
    expect((await sending.send({ ...mail, to, attachments: sent })).status).toBe(201);
    const { attachments } = await sending.mailTo(to);
    expect(attachments.map(({ filename, content }) => ({ filename, content }))).toEqual(
      sent.map(({ filename, content }) => ({ filename, content })),
    );
    expect(attachments.map(({ contentType }) => contentType)).toEqual([
      'application/pdf',
      'text/csv',
      expect.any(String),
    ]);
    expect(attachments.map(({ disposition }) => disposition)).toEqual(['attachment', 'attachment', 'attachment']);
  });

  it('201 shows an inline image to the HTML that names it', async () => {
    const to = 'inline@example.com';
    const image = {
      filename: 'logo.png',
      content: randomBytes(500).toString('base64'),
      contentType: 'image/png',
      cid: 'logo@example.com',
    };
    await sending.send({ ...mail, to, html: '<img src="cid:logo@example.com">', attachments: [image, file] });
    const { body, attachments } = await sending.mailTo(to);
    expect(body.html).toContain('cid:logo@example.com');
    expect(attachments.find(({ cid }) => cid !== null)).toMatchObject({ ...image, disposition: 'inline' });
    expect(attachments).toHaveLength(2);
  });

  it('201 sends a file with a Content-ID that the HTML does not name as an ordinary attachment, so the recipient finds it', async () => {
    const to = 'named@example.com';
    const terms = { filename: 'terms.txt', content: file.content, contentType: 'text/plain', cid: 'terms' };
    await sending.send({ ...mail, to, html: '<p>See the terms.</p>', attachments: [terms] });
    const { attachments } = await sending.mailTo(to);
    expect(attachments).toMatchObject([{ filename: 'terms.txt', content: file.content, disposition: 'attachment' }]);
  });

  it('201 takes 10 files; 400 refuses 11', async () => {
    const to = 'ten@example.com';
    expect((await sending.send({ ...mail, to, attachments: Array(10).fill(file) })).status).toBe(201);
    expect((await sending.mailTo(to)).attachments).toHaveLength(10);
    expect(await refusal(Array(11).fill(file))).toEqual([
      400,
      'invalid_request',
      'attachments: must have at most 10 items',
    ]);
  });

  it('201 takes 7 MB decoded in all, with 400 KB of text; 400 refuses one byte more', async () => {
    const of = (bytes: number) => ({ filename: 'x.bin', content: Buffer.alloc(bytes).toString('base64') });
    const [to, text] = ['large@example.com', 'x'.repeat(400_000)];
    const sent = await sending.send({ ...mail, to, text, attachments: [of(sevenMegabytes - 5), of(5)] });
    expect(sent.status).toBe(201);
    expect((await sending.mailTo(to)).attachments.map(({ size }) => size)).toEqual([sevenMegabytes - 5, 5]);
    const tooLarge = [400, 'attachment_too_large', 'attachments: must decode to at most 7 MB in total'];
    expect(await refusal([of(sevenMegabytes - 5), of(6)])).toEqual(tooLarge);
    const sms = { channel: 'sms', to: '+8801712345678', text: 'Hello', attachments: [of(sevenMegabytes + 1)] };
    expect((await sending.send(sms)).body.error?.code).toBe('invalid_attachment');
  });

  it('400 refuses a mail that SES would not take, at once or later, and nothing is kept', async () => {
    const attachments = [{ filename: 'x.bin', content: Buffer.alloc(sevenMegabytes).toString('base64') }];
    const { ref, key } = await sending.world.newAccount();
    const withText = (changes: object) => sending.send({ ...mail, attachments, ...changes }, { key });
    const before = await sending.traces(ref);
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    for (const changes of [{ text: 'x'.repeat(450_000) }, { html: 'a=b '.repeat(90_000), sendAt }]) {
      const { status, body } = await withText(changes);
      expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
      expect(body.error?.message).toMatch(/^html, text, attachments: .* 10,485,760 bytes/);
    }
    expect(await sending.traces(ref)).toEqual(before);
  });

  it('201 takes 7 MB of a mail in ASCII, which is not encoded, with 450 KB of text', async () => {
    const to = 'forwarded@example.com';
    const content = Buffer.from('Subject: Old\r\n\r\n'.padEnd(sevenMegabytes, `${'x'.repeat(900)}\r\n`));
    const attachments = [{ filename: 'old.eml', content: content.toString('base64') }];
    const text = `${'x'.repeat(70)}\n`.repeat(6_400);
    const { status, body } = await sending.send({ ...mail, to, text, attachments });
    expect([status, body.data?.failureReason]).toEqual([201, null]);
  });

  it.each(['x', 'YQ', 'YQ=', '====', 'YWJj\n', 'a b=', 'YWJ-', 'data:;base64,YQ=='])(
    '400 refuses the content %j',
    async (content) => {
      expect(await refusal([file, { ...file, content }])).toEqual([
        400,
        'invalid_attachment',
        'attachments.1.content: must be valid base64, padded and without line breaks',
      ]);
    },
  );

  it('400 refuses a file of a type that SES does not send', async () => {
    expect(await refusal([file, { ...file, filename: 'setup.EXE' }])).toEqual([
      400,
      'invalid_attachment',
      'attachments.1.filename: must not end in .exe: Amazon SES does not send such files',
    ]);
  });

  it.each([
    [{ filename: undefined }, 'attachments.0.filename: is required'],
    [{ filename: 7 }, 'attachments.0.filename: must be a string'],
    [{ filename: '' }, 'attachments.0.filename: must not be empty'],
    [{ filename: 'x'.repeat(256) }, 'attachments.0.filename: must be at most 255 characters'],
    [{ content: undefined }, 'attachments.0.content: is required, or uploadId'],
    [{ content: 7 }, 'attachments.0.content: must be a string'],
    [
      { contentType: 'text' },
      'attachments.0.contentType: must be a MIME type, such as text/plain; charset=utf-8, and not a multipart type',
    ],
    [
      { contentType: 'text/plain\r\nBcc: eve@example.com' },
      'attachments.0.contentType: must be a MIME type, such as text/plain; charset=utf-8, and not a multipart type',
    ],
    [
      { contentType: 'text/plain\0' },
      'attachments.0.contentType: must be a MIME type, such as text/plain; charset=utf-8, and not a multipart type',
    ],
    [
      { contentType: 'multipart/mixed; boundary=x' },
      'attachments.0.contentType: must be a MIME type, such as text/plain; charset=utf-8, and not a multipart type',
    ],
    [{ cid: 'a\r\nBcc: eve@example.com' }, 'attachments.0.cid: must be a Content-ID without spaces or angle brackets'],
    [{ cid: '<logo>' }, 'attachments.0.cid: must be a Content-ID without spaces or angle brackets'],
    [{ cid: 'a\0' }, 'attachments.0.cid: must be a Content-ID without spaces or angle brackets'],
  ])('400 refuses a file with %j', async (changes, message) => {
    expect(await refusal([{ ...file, ...changes }])).toEqual([400, 'invalid_request', message]);
  });

  it.each([
    'a/b',
    '..\\\\b',
    '/etc/passwd',
    'a\r\nBcc: eve@example.org',
    'a\n',
    'a\0.txt',
    'a\tb',
    '\u001bx',
    'a\u0085',
  ])('400 refuses the filename %j', async (filename) => {
    expect(await refusal([{ ...file, filename }])).toEqual([
      400,
      'invalid_request',
      'attachments.0.filename: must not contain path separators or control characters',
    ]);
  });

  it.each([
    '=?utf-8?Q?a=0D=0ABcc:_eve@evil.example?=',
    'a%0d%0aBcc: eve@evil.example',
    '"; filename="b',
    'a\u2028Bcc: x',
  ])('201 makes no header of the filename %j', async (filename) => {
    const to = `${Buffer.from(filename).toString('hex').slice(0, 60)}@example.com`;
    expect((await sending.send({ ...mail, to, attachments: [{ ...file, filename }] })).status).toBe(201);
    const { headers, attachments, destination } = await sending.mailTo(to);
    expect(attachments).toHaveLength(1);
    expect(headers.map(({ name }) => name.toLowerCase())).not.toContain('bcc');
    expect(destination.bcc).toEqual([]);
  });

  it.each(['sms', 'whatsapp'])('400 refuses them on %s', async (channel) => {
    expect(await refusal([file], { channel, to: '+8801700000000' })).toEqual([
      400,
      'invalid_attachment',
      'attachments: are allowed on email only',
    ]);
    expect((await refusal([], { channel, to: '+8801700000000' }))[1]).toBe('send_blocked');
  });
});
