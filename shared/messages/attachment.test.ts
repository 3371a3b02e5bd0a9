import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areTooLarge, attachedFiles, attachments } from './attachment.ts';

const file = { filename: 'a.txt', content: 'YQ==' };
const bytes = (count: number) => Buffer.alloc(count, 'x').toString('base64');
const sevenMegabytes = 7 * 1024 * 1024;

/** The messages of what is wrong, and the codes that they name. */
const wrongs = (sent: unknown) =>
  (attachments.safeParse(sent).error?.issues ?? []).map((issue) => [
    issue.path.join('.'),
    issue.code === 'custom' ? issue.params?.['code'] : undefined,
  ]);
const account = { id: 'a', sealedKey: '' };
const noUploads = { findAll: async (_: unknown, ids: readonly string[]) => ids.map(() => undefined) };
const read = (sent: Parameters<ReturnType<typeof attachedFiles>>[1]) =>
  attachedFiles({ uploads: noUploads, uploadedFiles: { read: async () => undefined } })(account, sent, 0);
const takes = (part: object) => attachments.safeParse([{ ...file, ...part }]).success;

describe('attachments', () => {
  it('gives each file back as the bytes that were encoded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 2_000 }), { maxLength: 10 }), async (contents) => {
        const sent = contents.map((content, n) => ({
          filename: `${n}`,
          content: Buffer.from(content).toString('base64'),
        }));
        const files = await read(attachments.parse(sent));
        expect(files.map(({ content }) => new Uint8Array(content))).toEqual(contents);
      }),
    );
    expect(await read(undefined)).toEqual([]);
  });

  it('takes 10 files and not 11', () => {
    expect(wrongs(Array(10).fill(file))).toEqual([]);
    expect(wrongs(Array(11).fill(file))).toEqual([['', undefined]]);
  });

  it('takes 7 MB decoded in all, regardless of the padding, and not one byte more', () => {
    for (const rest of [0, 1, 2]) {
      const two = (extra: number) => [
        { ...file, content: bytes(sevenMegabytes - rest) },
        { ...file, content: bytes(rest + extra) },
      ];
      expect([0, 1].map((extra) => areTooLarge(attachments.parse(two(extra))))).toEqual([false, true]);
    }
  });

  it.each(['', 'YWJj', 'YWI=', 'YQ==', '+/+/'])('takes the content "%s"', (content) => {
    expect(takes({ content })).toBe(true);
  });

  it.each([
    'Y',
    'YQ',
    'YQ=',
    'YQ===',
    '====',
    '=YQ=',
    'Y=Q=',
    'YW Jj',
    'YWJj\n',
    'YWJ-',
    'YWJ_',
    'é===',
    'YQ==YQ==',
    'data:text/plain;base64,YQ==',
  ])('refuses the content %j as no base64', (content) => {
    expect(wrongs([{ ...file, content }])).toEqual([['0.content', 'invalid_attachment']]);
  });

  it.each(['a.exe', 'A.EXE', 'invoice.pdf.js', '.bat', 'a.msh2xml', 'cert.crt'])(
    'refuses the filename %s, of a type that SES does not send',
    (filename) => {
      expect(wrongs([{ ...file, filename }])).toEqual([['0.filename', 'invalid_attachment']]);
    },
  );

  it.each([
    'a',
    'exe',
    'a.exe.zip',
    'a.json',
    'a.',
    'a b (1).tar.gz',
    'রসিদ.pdf',
    'naïve "quoted".txt',
    'a;b=c.txt',
    '..',
    '%2e%2e%2fetc',
    '=?utf-8?Q?x?=',
  ])('takes the filename %s', (filename) => {
    expect(takes({ filename })).toBe(true);
  });

  it.each([
    '',
    'a/b',
    '/etc/passwd',
    'a\\b',
    '../a',
    'a\0',
    'a\r\nX: y',
    'a\n',
    'a\tb',
    '\u001b[1m',
    'a\u007f',
    'a\u0085b',
  ])('refuses the filename %j', (filename) => {
    expect(wrongs([{ ...file, filename }])).toEqual([['0.filename', undefined]]);
  });

  it('counts a filename in characters: 255 and not one more', () => {
    for (const letter of ['a', 'é', '😀']) {
      expect(takes({ filename: letter.repeat(255) })).toBe(true);
      expect(takes({ filename: letter.repeat(256) })).toBe(false);
    }
  });

  it.each([
    'text/plain',
    'application/vnd.ms-excel',
    'image/svg+xml',
    'TEXT/HTML; charset=utf-8',
    'message/rfc822',
    'text/plain;charset=utf-8;\tformat=flowed',
    'text/plain ; name="a; \\"b\\".txt"',
  ])('takes the type %s', (contentType) => {
    expect(takes({ contentType })).toBe(true);
  });

  it.each([
    '',
    'text',
    'text/',
    '/plain',
    'text/plain/x',
    'text plain',
    'text/plain\r\nX: y',
    'text/plain; a=b\nX: y',
    'text/pläin',
    'text/plain; a=ü',
    'text/plain;',
    'text/plain; a',
    'text/plain; a=',
    'text/plain; a=b c',
    'text/plain; a=(b)',
    'text/plain; a="b',
    'text/plain; a="b\\"',
    'text/plain; a="b" c',
    'text/plain a=b',
    'multipart/mixed',
    'Multipart/Alternative; boundary=x',
  ])('refuses the type %j', (contentType) => {
    expect(wrongs([{ ...file, contentType }])).toEqual([['0.contentType', undefined]]);
  });

  it.each(['logo', 'logo@example.com', 'part1.06090408.01060107@example.com'])('takes the Content-ID %s', (cid) => {
    expect(takes({ cid })).toBe(true);
  });

  it.each(['', '<logo>', 'a b', 'a\r\nX: y', 'a\0', 'löwe', 'a'.repeat(256)])('refuses the Content-ID %j', (cid) => {
    expect(wrongs([{ ...file, cid }])).toEqual([['0.cid', undefined]]);
  });

  it('names every field that is missing', () => {
    expect(wrongs([{}])).toEqual([
      ['0.filename', undefined],
      ['0.content', undefined],
    ]);
    expect(wrongs('x')).toEqual([['', undefined]]);
    expect(wrongs(['x', null])).toEqual([
      ['0', undefined],
      ['1', undefined],
    ]);
  });

  it('takes the id of an upload instead of a content, with a name and a type of its own or without', () => {
    expect(
      wrongs([{ uploadId: 'x' }, { uploadId: 'x', filename: 'b.txt', contentType: 'text/plain', cid: 'b' }]),
    ).toEqual([]);
    expect(wrongs([{ uploadId: 'x', content: '' }, { uploadId: 5 }])).toEqual([
      ['0.content', undefined],
      ['1.uploadId', undefined],
    ]);
  });
});
