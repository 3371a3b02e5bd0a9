import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import type { Mail } from '../../messages/mail.ts';
import { mimeOf } from './mime.ts';

const mail: Mail = {
  messageId: 'm',
  accountId: 'a',
  from: { address: 'hello@example.com', name: undefined },
  to: 'ada@example.com',
  replyTo: undefined,
  subject: 's',
  html: undefined,
  text: 't',
  attachments: [],
};
const rawOf = (changes: Partial<Mail>) => mimeOf({ ...mail, ...changes }).toString('latin1');
const headOf = (raw: string) => raw.slice(0, raw.indexOf('\r\n\r\n'));

describe('mimeOf', () => {
  it('writes ASCII lines of a length that every server accepts', () => {
    const long = 'wört '.repeat(5_000);
    const raw = rawOf({
      subject: 'বাংলা '.repeat(80),
      from: { address: 'hello@example.com', name: '陈'.repeat(200) },
      text: long,
      html: `<p>${'x'.repeat(100_000)}</p>`,
      attachments: [
        { filename: '名'.repeat(255), content: Buffer.alloc(10_000, 0xff), contentType: 'application/pdf' },
      ],
    });
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    expect(raw).toMatch(/^[\t\r\n -~]*$/);
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('writes every line break of the content as CR and LF, because servers reject others', async () => {
    const attached = { filename: 'inner.eml', content: Buffer.from('Subject: inner\n\nHello\n') };
    const raw = rawOf({ text: 'one\rtwo\r\nthree\nfour', html: '<p>\r</p>', attachments: [attached] });
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect((await PostalMime.parse(raw)).text).toMatch(/^one\ntwo\nthree\nfour\n/);
  });

  it('writes CR and LF in base64 too, as a text of a mail has them (RFC 2046, 4.1.1)', () => {
    const raw = rawOf({ text: 'এক\rদুই\r\nতিন\nচার' });
    expect(Buffer.from(raw.slice(headOf(raw).length), 'base64').toString()).toBe('এক\r\nদুই\r\nতিন\r\nচার');
  });

  it('adds no break to a short line', () => {
    expect(rawOf({ text: `Grüße\n${'x'.repeat(60)}\n`.repeat(100) })).not.toContain('=\r\n');
  });

  it('says of a mail of the platform that it is automatic, and of no other', () => {
    expect(headOf(rawOf({ isAutomatic: true }))).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(headOf(rawOf({}))).not.toContain('Auto-Submitted');
  });

  it('keeps every value inside its header', () => {
    const evil = 'a\r\nBcc: eve@evil.example\r\n\r\nbody';
    const raw = rawOf({
      subject: evil,
      html: '<img src="cid:a%0D%0AX-Evil%3A%201">',
      from: { address: 'hello@example.com', name: evil },
      replyTo: `ada@example.com\r\nBcc: eve@evil.example`,
      attachments: [
        { filename: evil, content: Buffer.from('x'), contentType: 'text/plain\r\nX-Evil: 1', cid: 'a\r\nX-Evil: 1' },
      ],
    });
    expect(headOf(raw)).not.toMatch(/^Bcc:/im);
    expect(raw).toMatch(/^Content-Id: /im);
    expect(raw).not.toMatch(/^(X-Evil|Bcc):/im);
  });

  it.each([
    '=?utf-8?Q?a=0D=0ABcc:_eve@evil.example?=',
    '=?utf-8?B?Ym9zcw==?= and more',
    'a =? b',
    `=?utf-8?Q?${'x'.repeat(60)}?= "ü"`,
  ])('sends the literal text %j so that no mail program decodes it', async (text) => {
    const content = Buffer.from('x');
    const raw = rawOf({
      subject: text,
      from: { address: 'hello@example.com', name: text },
      attachments: [
        { filename: text, content },
        { filename: text, content, cid: 'a@b', contentType: 'image/png' },
      ],
      html: '<img src="cid:a@b">',
    });
    const email = await PostalMime.parse(raw);
    expect([email.subject, email.from]).toEqual([text, { name: text, address: 'hello@example.com' }]);
    // PostalMime decodes a name once more than RFC 2231 allows, so the test joins the parameters itself.
    const dispositions = raw.replaceAll('\r\n ', ' ').match(/^Content-Disposition: .*$/gm) ?? [];
    const names = dispositions.map((header) =>
      [...header.matchAll(/filename\*\d+(\*?)=(?:utf-8'')?("?)([^;"]*)\2/g)]
        .map(([, isEncoded, , part = '']) => (isEncoded ? decodeURIComponent(part) : part))
        .join(''),
    );
    expect(names).toEqual([text, text]);
    expect(raw).not.toContain('; name=');
    expect(raw).not.toContain(text);
    expect(raw).toMatch(/^[\t\r\n -~]*$/);
  });

  it('leaves no blanks alone in a line of a header, and none out', async () => {
    const texts = [
      ...Array.from({ length: 76 }, (_, n) => `${'x'.repeat(n + 1)} `),
      `x${' '.repeat(76)}y`,
      `x${' '.repeat(70)}`,
      `${'y'.repeat(40)}${' '.repeat(200)}${'z'.repeat(80)}`,
    ];
    for (const text of texts) {
      const attachments = [{ filename: text, content: Buffer.from('x') }];
      const raw = rawOf({ subject: text, from: { address: 'hello@example.com', name: text }, attachments });
      expect(raw).not.toMatch(/^[ \t]+\r?$/m);
      const email = await PostalMime.parse(raw);
      expect([email.subject, email.from?.name, email.attachments[0]?.filename]).toEqual([text, text, text]);
    }
  });

  it('writes an unfolded one-click unsubscribe URL, if there is one', () => {
    const unsubscribeUrl = `https://api.example.com/unsubscribe/${'a'.repeat(86)}`;
    const lines = headOf(rawOf({ unsubscribeUrl })).split('\r\n');
    expect(lines).toContain(`List-Unsubscribe: <${unsubscribeUrl}>`);
    expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(headOf(rawOf({}))).not.toContain('List-Unsubscribe');
  });

  it.each([
    ['<img src="cid:part.1@shop">', 'inline'],
    ["<img src='CID:part.1%40shop'>", 'inline'],
    ['<img src=cid:Part.1@Shop>', 'inline'],
    ['<p style="background:url(cid:part.1@shop)">', 'inline'],
    ['<p style="background:url(&quot;cid:part.1@shop&quot;)">', 'inline'],
    ['<img src="cid:part.1@shop.example">', 'attachment'],
    ['<img src="cid:part.1%40shop%2Fb">', 'attachment'],
    ['<img src="part.1@shop">', 'attachment'],
    ['<p>cid:</p>', 'attachment'],
    [undefined, 'attachment'],
  ])('with the HTML %s, a file with a Content-ID is sent as %s', (html, disposition) => {
    for (const filename of ['notes.txt', '=?notes.txt']) {
      const attachments = [{ filename, content: Buffer.from('x'), contentType: 'text/plain', cid: 'part.1@shop' }];
      const raw = rawOf({ html, attachments });
      expect(raw.match(/^Content-Disposition: \w+/gm)).toEqual([`Content-Disposition: ${disposition}`]);
      expect(raw.includes('multipart/related')).toBe(disposition === 'inline');
    }
  });

  it('finds the reference to a Content-ID with characters that URLs encode and HTML escapes', () => {
    const attachments = [{ filename: 'a.png', content: Buffer.from('x'), cid: 'a&b/c=d' }];
    for (const id of ['a&b/c=d', 'a&amp;b/c=d', 'a%26b%2Fc%3Dd', 'a%26b%2fc%3dd'])
      expect(rawOf({ html: `<img src="cid:${id}">`, attachments })).toContain('multipart/related');
  });

  it('opens no path and no URL that a body or a file names', async () => {
    const email = await PostalMime.parse(
      mimeOf({
        ...mail,
        html: '<img src="/etc/passwd">',
        text: 'file:///etc/passwd',
        attachments: [{ filename: '/etc/passwd', content: Buffer.from('mine') }],
      }),
    );
    expect(email.html).toContain('/etc/passwd');
    expect(new TextDecoder().decode(email.attachments[0]?.content as ArrayBuffer)).toBe('mine');
  });

  it('keeps an attached mail unchanged', async () => {
    const inner = 'From: a@b.co\r\nSubject: inner\r\n\r\nHello\r\n';
    const raw = mimeOf({
      ...mail,
      attachments: [{ filename: 'inner.eml', content: Buffer.from(inner), contentType: 'message/rfc822' }],
    });
    const email = await PostalMime.parse(raw, { forceRfc822Attachments: true });
    expect(email.subject).toBe('s');
    expect(email.attachments).toMatchObject([
      { filename: 'inner.eml', mimeType: 'message/rfc822', disposition: 'attachment' },
    ]);
  });

  it.each([
    ['letters that are not ASCII', 'Subject: inner\r\n\r\nGrüße\r\n'],
    ['a long line', `Subject: inner\r\n\r\n${'a'.repeat(999)}\r\n`],
    ['a CR without LF', 'Subject: inner\r\n\r\na\rb\r\n'],
    ['a NUL', 'Subject: inner\r\n\r\na\0b\r\n'],
  ])('sends an attached mail with %s as a file, byte for byte', async (_, inner) => {
    for (const contentType of ['message/rfc822', undefined]) {
      const raw = mimeOf({
        ...mail,
        attachments: [{ filename: 'inner.eml', content: Buffer.from(inner), contentType }],
      });
      expect(raw.toString('latin1')).toMatch(/^([ -~]{0,998}\r\n)*$/);
      const { attachments } = await PostalMime.parse(raw);
      expect(attachments).toMatchObject([{ mimeType: 'application/octet-stream', disposition: 'attachment' }]);
      expect(new TextDecoder().decode(attachments[0]?.content as ArrayBuffer)).toBe(inner);
    }
  });

  it('sends a .gzip as a file, byte for byte, although its name means a type of several parts', async () => {
    const content = Buffer.from([0x1f, 0x8b, 8, 0, 0xff]);
    const { attachments } = await PostalMime.parse(mimeOf({ ...mail, attachments: [{ filename: 'a.gzip', content }] }));
    expect(attachments).toMatchObject([{ filename: 'a.gzip', mimeType: 'application/octet-stream' }]);
    expect(Buffer.from(attachments[0]?.content as ArrayBuffer)).toEqual(content);
  });
});
