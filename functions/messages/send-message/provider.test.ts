import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localEndpoint } from '../../../infra/local/local-client.ts';
import { newId } from '../../../shared/kit/id.ts';
import type { MailOutcome } from '../../../shared/messages/mail.ts';
import { sesProvider } from '../../../shared/providers/email/ses.ts';
import { openSesCall } from '../../../shared/providers/email/ses-call.ts';
import { mail, openSending, type Sending } from './send-fixture.ts';

let sending: Sending;
beforeAll(async () => {
  sending = await openSending();
});
afterAll(() => sending.world.close());
afterEach(() => sending.world.ses.failNext('hang', 0));

const sesAt = (url: string, wishes?: Parameters<typeof sesProvider>[1]) =>
  sesProvider(openSesCall(localEndpoint(url)), wishes);

describe('POST /messages when the mail provider', () => {
  const unavailable: MailOutcome = { kind: 'unavailable' };
  const paused: MailOutcome = { ...unavailable, retryAfterSeconds: 60 };

  it.each([
    ['unavailable', unavailable, 500],
    // It will take mails again soon, so the answer asks the sender to retry.
    ['paused', paused, 503],
  ] as const)('is %s: the credit back and no message', async (_, outcome, refused) => {
    const { key, ref } = await sending.world.newAccount();
    const email = { send: async () => outcome };
    const { status, headers, body } = await sending.send(mail, { key, email });
    expect([status, body.error.code]).toEqual([refused, 'internal_error']);
    expect(Number(headers['Retry-After'] ?? 0) > 0).toBe(refused === 503);
    expect(body.error.message).toContain('test-request');
    expect(await sending.traces(ref)).toMatchObject({ credits: 100, messages: 0 });
  });

  it('takes no more emails now: 201, which its Idempotency-Key repeats, and the message is to be sent later', async () => {
    const { key, ref } = await sending.world.newAccount();
    sending.world.ses.failNext('throttling', 100);
    const email = sesAt(sending.world.ses.url, { rateWithinMs: 500 });
    const send = () => sending.send(mail, { key, email, headers: { 'idempotency-key': 'busy' } });
    const [first, again] = [await send(), await send()];
    sending.world.ses.failNext('throttling', 0);
    expect(first).toMatchObject({ status: 201, body: { data: { status: 'queued', sentAt: null } } });
    expect(again.body).toEqual(first.body);
    expect(await sending.traces(ref)).toMatchObject({ credits: 99, messages: 1 });
    const found = await sending.world.messages.find(ref, first.body.data.id);
    expect(found).toMatchObject({ status: 'queued', isHeld: true });
  });

  it('took nothing: its Idempotency-Key is free for another recipient, and for the same one whose contact has another address now', async () => {
    const { key, ref } = await sending.world.newAccount();
    const send = (to: string, headers: Record<string, string>, email = sending.world.email) =>
      sending.send({ ...mail, to }, { key, headers, email });
    const refused = async (to: string, headers: Record<string, string>) =>
      expect((await send(to, headers, { send: async () => paused })).status).toBe(503);
    const [one, other] = [{ 'idempotency-key': 'one' }, { 'idempotency-key': 'other' }];
    await refused('first@example.com', one);
    expect((await send('second@example.com', one)).status).toBe(201);
    await refused('third@example.com', other);
    const contactId = await sending.world.contacts.idByAddress(ref, { email: 'third@example.com' });
    await sending.world.contacts.change(ref, contactId ?? '', (contact) => ({
      ...contact,
      email: 'moved@example.com',
    }));
    expect((await send('third@example.com', other)).status).toBe(201);
    expect(await sending.traces(ref)).toMatchObject({ credits: 98, messages: 2 });
  });

  it('answers late: sentAt is the time of its answer, not of the request', async () => {
    const { key, ref } = await sending.world.newAccount();
    const time = { nowMs: Date.now() };
    const email = {
      send: async (): Promise<MailOutcome> => {
        time.nowMs += 4_321;
        return { kind: 'accepted' };
      },
    };
    const { body } = await sending.send(mail, { key, email, clock: () => time.nowMs });
    const { createdAt, sentAt } = body.data;
    expect(Date.parse(sentAt) - Date.parse(createdAt)).toBe(4_321);
    expect(await sending.world.messages.find(ref, body.data.id)).toMatchObject({ createdAt, sentAt });
  });

  it.each(['unavailable', 'throttling'] as const)('is %s for a moment: 201, sent once', async (fault) => {
    const to = `${fault}-once@example.com`;
    sending.world.ses.failNext(fault, 1);
    const { status, body } = await sending.send({ ...mail, to });
    expect([status, body.data.status]).toEqual([201, 'sent']);
    await sending.mailTo(to);
  });

  it('is unreachable: 500, and the same idempotency key sends when it is back, as a message of that time', async () => {
    const { key, ref } = await sending.world.newAccount();
    const to = 'unreachable@example.com';
    const headers = { 'idempotency-key': 'k' };
    const email = sesAt('http://127.0.0.1:1');
    let nowMs = Date.now();
    const clock = () => nowMs;
    expect((await sending.send({ ...mail, to }, { key, headers, email, clock })).status).toBe(500);
    expect(await sending.traces(ref)).toMatchObject({ credits: 100, messages: 0 });
    nowMs += 3_600_000;
    const { status, body } = await sending.send({ ...mail, to }, { key, headers, clock });
    expect([status, body.data.createdAt]).toEqual([201, new Date(nowMs).toISOString()]);
    await sending.mailTo(to);
    expect(await sending.traces(ref)).toEqual({ credits: 99, messages: 1, contacts: 1 });
  });

  it('refuses the mail: 201 with a failed message and its reason, which its Idempotency-Key repeats, and the credit is returned', async () => {
    const { key, ref } = await sending.world.newAccount();
    sending.world.ses.failNext('rejected', 1);
    const headers = { 'idempotency-key': 'refused' };
    const { status, body } = await sending.send(mail, { key, headers });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      status: 'failed',
      sentAt: null,
      failedAt: expect.stringMatching(/Z$/),
      failureCode: 'MessageRejected',
      failureReason: 'Email address is not verified.',
    });
    expect(await sending.world.messages.find(ref, body.data.id)).toMatchObject(body.data);
    expect((await sending.send(mail, { key, headers })).body).toEqual(body);
    expect(await sending.traces(ref)).toMatchObject({ credits: 100, messages: 1 });
  });

  it('never answers: 201 with status sending before the function is cut off, and the mail is not sent again', async () => {
    const { ref } = await sending.world.newAccount();
    const to = 'hanging@example.com';
    const id = newId(Date.now());
    sending.world.ses.failNext('hang', 1);
    const email = sesAt(sending.world.ses.url, { answerWithinMs: 1_000 });
    const send = () => sending.sendAs(id, { ...mail, to }, ref, { email });
    expect(await send()).toMatchObject({ id, status: 'sending', sentAt: null });
    expect(await send()).toMatchObject({ id, status: 'sending' });
    expect(await sending.mails(to)).toEqual([]);
    expect(await sending.traces(ref)).toEqual({ credits: 99, messages: 1, contacts: 1 });
  });
});
