import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId, nthId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import type { Mail, MailOutcome } from '../../../shared/messages/mail.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { sendMessagesContract } from './contract.ts';
import { sendMessages } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const mailTo = (name: string) => ({ channel: 'email', to: `${name}@example.com`, subject: 'Hello', text: 'It works.' });

interface Wishes {
  readonly key?: string;
  readonly idempotencyKey?: string;
  readonly clock?: () => number;
  readonly answer?: (mail: Mail) => MailOutcome;
  readonly uploadedFiles?: Pick<World['uploadedFiles'], 'read'>;
}

const sent: string[] = [];
const post = (messages: unknown, wishes: Wishes = {}) => {
  const { key = account.key, idempotencyKey, clock = Date.now, answer, uploadedFiles = world.uploadedFiles } = wishes;
  const email = {
    send: async (mail: Mail): Promise<MailOutcome> => {
      const outcome = answer?.(mail) ?? { kind: 'accepted' as const };
      sent.push(mail.to);
      return outcome;
    },
  };
  const handler = sendMessages({
    ...{ ...world, email, uploadedFiles },
    ...{ platformAddress: 'no-reply@platform.example', clock },
  });
  return call(endpoint(sendMessagesContract, handler, world.callers('messages:send')), {
    ...{ key, routeKey: 'POST /api/v1/messages/batch', body: { messages } },
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
};

describe('POST /messages/batch', () => {
  it('200 gives the outcome of each row in input order, and one bad row hurts no other', async () => {
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const { status, body } = await post([
      { ...mailTo('a'), metadata: { n: 1 } },
      { ...mailTo('b'), subject: undefined },
      null,
      { channel: 'sms', to: '+8801700000000', text: 'Hello' },
      { ...mailTo('c'), attachments: [{ filename: 'a', content: '!' }] },
      { ...mailTo('not an address'), sendAt: null },
      { ...mailTo('d'), sendAt },
    ]);
    expect(status).toBe(200);
    const { results, accepted, failed } = body.data;
    expect([accepted, failed]).toEqual([2, 5]);
    expect(results.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(results[0]).toMatchObject({ status: 'accepted', message: { status: 'sent', metadata: { n: 1 } } });
    expect(results[6]).toMatchObject({ status: 'accepted', message: { status: 'queued', scheduledAt: sendAt } });
    expect(results.slice(1, 6)).toMatchObject([
      { status: 'failed', error: { code: 'invalid_request', message: 'subject: is required' } },
      { status: 'failed', error: { code: 'invalid_request' } },
      { status: 'failed', error: { code: 'send_blocked' } },
      { status: 'failed', error: { code: 'invalid_attachment' } },
      { status: 'failed', error: { code: 'invalid_recipient' } },
    ]);
    expect(results[1].error.docsUrl).toBe('/docs/errors#invalid_request');
    expect(results[3].error).toEqual({
      code: 'send_blocked',
      message: expect.any(String),
      docsUrl: '/docs/errors#send_blocked',
    });
    expect(results[1]).not.toHaveProperty('message');
    expect(await world.accounts.credits(account.ref.id)).toMatchObject({ email: 98 });
  });

  it('200 returns the metadata of each row verbatim, as POST /messages does', async () => {
    const texts = ['{"10":"b","2":"a","order":12345678901234567890}', '{"huge":1e400,"whole":1.0,"minus":-0}'];
    const rows = texts.map((text, n) => ({ ...mailTo(`verbatim${n}`), metadata: new JsonText(text) }));
    const { text, body } = await post([null, ...rows]);
    expect(body.data).toMatchObject({ accepted: 2 });
    expect([...text.matchAll(/"metadata":({.*?})/g)].map(([, metadata]) => metadata)).toEqual(texts);
  });

  it('200 accepts as many rows as the credits pay for', async () => {
    const { ref, key } = await world.newAccount({ credits: { email: 7 } });
    const { body } = await post(
      Array.from({ length: 12 }, (_, n) => mailTo(`poor${n}`)),
      { key },
    );
    expect([body.data.accepted, body.data.failed]).toEqual([7, 5]);
    const codes = body.data.results.flatMap(({ error }: { error?: { code: string } }) => error?.code ?? []);
    expect(new Set(codes)).toEqual(new Set(['insufficient_credits']));
    expect(await world.accounts.credits(ref.id)).toMatchObject({ email: 0 });
  });

  it('200 replays the answer of a key, and resumes a request that was cut off without sending a row again', async () => {
    const { ref, key } = await world.newAccount();
    const rows = [mailTo('once0'), mailTo('once1'), mailTo('once2')];
    sent.length = 0;
    const first = await post(rows, { key, idempotencyKey: 'one' });
    const again = await post([], { key, idempotencyKey: 'one' });
    expect([again.status, again.text, again.headers['Idempotent-Replay']]).toEqual([200, first.text, 'true']);
    const parsed = sendMessagesContract.body.parse({ messages: rows });
    const newId = first.body.data.results[0].message.id;
    const email = { send: async () => Promise.reject(new Error('sent again')) };
    const run = sendMessages({ ...world, email, platformAddress: 'no-reply@platform.example', clock: Date.now });
    // The first row's id is made of the request's; a crash after it left this.
    const nowMs = Date.now();
    const cut = { ...world, email: { send: async () => ({ kind: 'accepted' as const }) }, clock: Date.now };
    const request = { account: ref, path: {}, query: {}, newId, nowMs };
    const begun = sendMessages({ ...cut, platformAddress: 'no-reply@platform.example' });
    await begun({ ...request, body: { messages: parsed.messages.slice(0, 3) } });
    const resumed = await run({ ...request, body: parsed, isResumed: true });
    expect(resumed).toMatchObject({ accepted: 3, failed: 0 });
    expect(resumed.results.map(({ message }) => message?.id)).toEqual([0, 1, 2].map((n) => nthId(newId, n)));
    const tooLate = sendMessages({
      ...world,
      email,
      platformAddress: 'no-reply@platform.example',
      clock: () => nowMs + 11_000,
    });
    expect(await tooLate({ ...request, body: parsed, isResumed: true })).toEqual(resumed);
    expect(sent.sort()).toEqual(['once0@example.com', 'once1@example.com', 'once2@example.com']);
    expect(await world.accounts.credits(ref.id)).toMatchObject({ email: 94 });
  });

  it('409 refuses other rows than those that a request which was cut off had accepted, and sends none of them', async () => {
    const { ref } = await world.newAccount();
    const mails: string[] = [];
    const email = {
      send: async ({ to }: Mail): Promise<MailOutcome> => {
        mails.push(to);
        return { kind: 'accepted' };
      },
    };
    const nowMs = Date.now();
    const request = { account: ref, path: {}, query: {}, newId: newId(nowMs), nowMs };
    const run = sendMessages({ ...world, email, platformAddress: 'no-reply@platform.example', clock: Date.now });
    const runWith = (rows: readonly object[], isResumed: boolean) =>
      run({ ...request, body: sendMessagesContract.body.parse({ messages: rows }), isResumed });
    const [ada, bob, eve] = [mailTo('ada'), mailTo('bob'), mailTo('eve')];
    const first = await runWith([ada, bob], false);
    for (const rows of [
      [bob],
      [ada],
      [eve, ada, bob],
      [ada, { ...bob, subject: undefined }],
      [ada, { ...bob, channel: 'sms' }],
    ])
      await expect(runWith(rows, true)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    const again = await runWith([{ ...ada, to: 'Ada@example.com' }, bob, eve], true);
    expect(again.results.slice(0, 2)).toEqual(first.results);
    expect(mails.sort()).toEqual(['ada@example.com', 'bob@example.com', 'eve@example.com']);
  });

  it('200 repeats an answer that no item holds, too: rows that were refused are not sent under their old key', async () => {
    const { ref, key } = await world.newAccount({ credits: { email: 3 } });
    const rows = ['one', 'two', 'three', 'four', 'five'].map((name) => ({
      ...mailTo(`large-${name}`),
      metadata: { token: randomBytes(180_000).toString('base64') },
    }));
    const first = await post(rows, { key, idempotencyKey: 'large' });
    expect([first.status, first.body.data.accepted, first.body.data.failed]).toEqual([200, 3, 2]);
    await world.setCredits(ref, { email: 100, smsMasked: 0, smsNonMasked: 0 });
    const again = await post(rows, { key, idempotencyKey: 'large' });
    expect([again.status, again.text === first.text, again.headers['Idempotent-Replay']]).toEqual([200, true, 'true']);
    expect(sent.filter((to) => to.startsWith('large-'))).toHaveLength(3);
  });

  it('200 fails rows that the provider did not take, or for which the time is over, and charges none of them', async () => {
    const { ref, key } = await world.newAccount();
    const down = await post([mailTo('down')], { key, answer: () => ({ kind: 'unavailable' }) });
    expect(down.body.data.results).toMatchObject([{ status: 'failed', error: { code: 'internal_error' } }]);
    const late = await post([mailTo('late')], { key, clock: () => Date.now() + 11_000 });
    expect(late.body.data.results).toMatchObject([{ status: 'failed', error: { code: 'internal_error' } }]);
    expect(await world.accounts.credits(ref.id)).toMatchObject({ email: 100 });
    expect((await world.messages.list(ref, {}, { limit: 10 })).page).toEqual([]);
  });

  it('200 accepts every row while the sending rate is exceeded: they wait for it together, and are sent later', async () => {
    const { ref } = await world.newAccount();
    const beganMs = Date.now();
    let nowMs = beganMs;
    const email = {
      send: async (_: Mail, waitMs = 10_000): Promise<MailOutcome> => {
        nowMs += Math.max(0, waitMs);
        return { kind: 'unavailable', isBusy: true, retryAfterSeconds: 1 };
      },
    };
    const run = sendMessages({ ...world, email, platformAddress: 'no-reply@platform.example', clock: () => nowMs });
    const rows = Array.from({ length: 30 }, (_, n) => mailTo(`busy-${n}`));
    const body = sendMessagesContract.body.parse({ messages: rows });
    const request = { account: ref, path: {}, query: {}, newId: newId(beganMs), nowMs: beganMs, body };
    const { results, accepted, failed } = await run(request);
    expect([accepted, failed]).toEqual([30, 0]);
    expect(new Set(results.map(({ message }) => message?.status))).toEqual(new Set(['queued']));
    expect(await world.accounts.credits(ref.id)).toMatchObject({ email: 70 });
  });

  it('200 has the uploaded files of at most three rows in memory at a time', async () => {
    const { ref, key } = await world.newAccount();
    const upload = nthId(ref.id, 1);
    const facts = { filename: 'a.txt', contentType: 'text/plain', bytes: 2, expiresMs: Date.now() + 3_600_000 };
    await world.uploads.add(ref, upload, facts);
    let [now, most] = [0, 0];
    const read = async (): Promise<Buffer> => {
      now += 1;
      most = Math.max(most, now);
      return Buffer.from('Hi');
    };
    const rows = Array.from({ length: 30 }, (_, n) => ({
      ...mailTo(`files${n}`),
      ...(n % 5 > 0 && { attachments: [{ uploadId: upload }] }),
    }));
    const answer = ({ attachments }: Mail): MailOutcome => {
      now -= attachments.length;
      return { kind: 'accepted' };
    };
    const { body } = await post(rows, { key, answer, uploadedFiles: { read } });
    expect(body.data).toMatchObject({ accepted: 30, failed: 0 });
    expect(body.data.results.map(({ index }: { index: number }) => index)).toEqual([...rows.keys()]);
    expect(now).toBe(0);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('400 refuses rows whose answer Lambda would not take, before any is sent', async () => {
    const rows = (quotes: number) =>
      Array.from({ length: 14 }, (_, n) => ({ ...mailTo(`quoted${n}`), metadata: { quotes: '"'.repeat(quotes) } }));
    const { ref, key } = await world.newAccount();
    const { status, body } = await post(rows(105_700), { key });
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toMatch(/^messages: must have at most 5,900,000 bytes of tags and metadata/);
    expect((await world.messages.list(ref, {}, { limit: 10 })).page).toEqual([]);
    const largest = await post(rows(104_800), { key });
    expect(largest.body.data).toMatchObject({ accepted: 14 });
    expect(Buffer.byteLength(JSON.stringify(largest.text))).toBeLessThan(6 * 1024 * 1024);
  });

  it.each([[[]], [Array.from({ length: 101 }, () => mailTo('many'))], [undefined], ['x']])(
    '400 refuses none, more than 100, and no list',
    async (messages) => {
      const { status, body } = await post(messages);
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(body.error.message).toMatch(/^messages: /);
    },
  );
});
