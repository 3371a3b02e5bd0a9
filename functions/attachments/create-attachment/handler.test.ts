import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { dayMs } from '../../../shared/kit/time-units.ts';
import { call } from '../../../test/call.ts';
import { mail, openSending, type Sending } from '../../messages/send-message/send-fixture.ts';
import { createAttachmentContract } from './contract.ts';
import { createAttachment } from './handler.ts';

let sending: Sending;
beforeAll(async () => {
  sending = await openSending();
});
afterAll(() => sending.world.close());

const pdf = { filename: 'invoice.pdf', contentType: 'application/pdf', size: 11 };
const content = 'The invoice';

const offer = async (body: object, key = sending.account.key) =>
  call(endpoint(createAttachmentContract, createAttachment(sending.world), sending.world.callers('messages:send')), {
    key,
    body,
  });

/** The id of a file that has been uploaded. */
const uploaded = async (file = pdf, bytes = content): Promise<string> => {
  const { body } = await offer(file);
  const put = await fetch(body.data.uploadUrl, { method: 'PUT', body: bytes });
  expect(put.status).toBe(200);
  return body.data.id;
};

const refusal = async (attachments: unknown, key = sending.account.key, clock?: () => number) => {
  const { status, body } = await sending.send({ ...mail, attachments }, { key, ...(clock && { clock }) });
  return [status, body.error?.code, body.error?.message];
};
const notThere = (n: number) => [
  400,
  'invalid_attachment',
  `attachments.${n}.uploadId: must be the id of a file that was uploaded in the last 24 hours, without a Content-Encoding`,
];

describe('POST /attachments', () => {
  it('201 returns until when the file is kept, also to a retry of a request that failed', async () => {
    const { world, account } = sending;
    const beganMs = Date.now();
    let isDown = true;
    const urlFor: typeof world.uploadedFiles.urlFor = async (...file) => {
      if (isDown) throw new Error('no URL');
      return world.uploadedFiles.urlFor(...file);
    };
    const start = (atMs: number) => {
      const create = createAttachment({ ...world, uploadedFiles: { urlFor } });
      const handler = endpoint(createAttachmentContract, create, world.callers('messages:send'), () => atMs);
      return call(handler, { key: account.key, headers: { 'idempotency-key': 'file' }, body: pdf });
    };
    expect((await start(beganMs)).status).toBe(500);
    isDown = false;
    const { status, body } = await start(beganMs + 3_600_000);
    expect([status, Date.parse(body.data.expiresAt)]).toEqual([201, beganMs + dayMs]);
  });

  it('201 returns a URL, and the file that it takes is sent with several emails beside inline ones', async () => {
    const before = Date.now();
    const { status, body } = await offer(pdf);
    expect([status, Object.keys(body.data)]).toEqual([201, ['id', 'uploadUrl', 'expiresAt']]);
    expect(Date.parse(body.data.expiresAt)).toBeGreaterThanOrEqual(before + dayMs);
    expect((await fetch(body.data.uploadUrl, { method: 'PUT', body: content })).status).toBe(200);
    const inline = { filename: 'a.txt', content: Buffer.from('a').toString('base64') };
    for (const to of ['one@example.com', 'two@example.com']) {
      const renamed = { uploadId: body.data.id, filename: 'copy.pdf', cid: 'copy' };
      const attachments = [inline, { uploadId: body.data.id }, renamed];
      expect((await sending.send({ ...mail, to, attachments })).status).toBe(201);
      const sent = (await sending.mailTo(to)).attachments;
      expect(sent.map(({ filename }) => filename).sort()).toEqual(['a.txt', 'copy.pdf', 'invoice.pdf']);
      const files = sent.filter(({ contentType }) => contentType === pdf.contentType);
      expect(files.map((file) => String(Buffer.from(file.content, 'base64')))).toEqual([content, content]);
    }
  });

  it('403 from the URL refuses a file of another size', async () => {
    const { body } = await offer(pdf);
    const answer = await fetch(body.data.uploadUrl, { method: 'PUT', body: `${content}!` });
    expect(answer.status).toBe(403);
    expect(await refusal([{ uploadId: body.data.id }])).toEqual(notThere(0));
  });

  it('400 refuses to send a file that is missing, unknown, another account’s or older than a day', async () => {
    const { key } = await sending.world.newAccount();
    const [id, { body: offered }] = [await uploaded(), await offer(pdf)];
    expect(await refusal([{ uploadId: offered.data.id }])).toEqual(notThere(0));
    expect(await refusal([{ uploadId: id }, { uploadId: 'x' }])).toEqual(notThere(1));
    expect(await refusal([{ uploadId: id }], key)).toEqual(notThere(0));
    const dayLaterMs = Date.now() + dayMs + 1;
    expect(await refusal([{ uploadId: id }], sending.account.key, () => dayLaterMs)).toEqual(notThere(0));
    expect((await sending.traces(sending.account.ref)).messages).toBe(2);
  });

  it('400 refuses a file of a type that SES does not send, before it is uploaded', async () => {
    const { status, body } = await offer({ ...pdf, filename: 'setup.exe' });
    const message = 'filename: must not end in .exe: Amazon SES does not send such files';
    expect([status, body.error]).toMatchObject([400, { code: 'invalid_attachment', message }]);
  });

  it('400 refuses more than 7 MB, of a file and of all files of an email', async () => {
    const megabytes = 1024 * 1024;
    const large = await offer({ ...pdf, size: 7 * megabytes + 1 });
    expect([large.status, large.body.error]).toMatchObject([
      400,
      { code: 'attachment_too_large', message: 'size: must be at most 7 MB' },
    ]);
    const four = await uploaded({ ...pdf, size: 4 * megabytes }, 'x'.repeat(4 * megabytes));
    const tooLarge = [400, 'attachment_too_large', 'attachments: must decode to at most 7 MB in total'];
    expect(await refusal([{ uploadId: four }, { uploadId: four }])).toEqual(tooLarge);
    const three = Buffer.alloc(3 * megabytes + 1).toString('base64');
    expect(await refusal([{ uploadId: four }, { filename: 'a', content: three }])).toEqual(tooLarge);
  });

  it.each([
    [{ ...pdf, filename: 'a/b' }, 'filename: must not contain path separators or control characters'],
    [
      { ...pdf, contentType: 'multipart/mixed' },
      'contentType: must be a MIME type, such as text/plain; charset=utf-8, and not a multipart type',
    ],
    [{ ...pdf, size: 0 }, 'size: must be at least 1'],
    [{ ...pdf, size: 1.5 }, 'size: must be a whole number'],
    [{}, 'filename: is required; contentType: is required; size: is required'],
  ])('400 refuses %j', async (body, message) => {
    const { status, body: answer } = await offer(body);
    expect([status, answer.error]).toMatchObject([400, { code: 'invalid_request', message }]);
  });
});
