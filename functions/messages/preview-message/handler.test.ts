import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccountSettings } from '../../../shared/accounts/account.ts';
import { sender } from '../../../shared/compliance/send.ts';
import { detailsOf } from '../../../shared/contacts/contact.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { newId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import { channels } from '../../../shared/messages/message.ts';
import { call } from '../../../test/call.ts';
import { modelRuns } from '../../../test/model-runs.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { previewMessageContract } from './contract.ts';
import { previewMessage } from './handler.ts';

const platformAddress = 'no-reply@platform.example';
const spam = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const preview = async (body: object, { key } = account) => {
  const handler = previewMessage({ ...world, platformAddress });
  const answer = await call(endpoint(previewMessageContract, handler, world.callers('messages:send')), { key, body });
  return { status: answer.status, error: answer.body.error, data: answer.body.data };
};

const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello {{name}}', html: '<b>{{name}}</b>' };

describe('POST /messages/preview', () => {
  it('200 shows the rendered email and its verdict, and leaves no trace', async () => {
    const kept = async () => (await world.scan()).filter(({ entity }) => entity !== 'api-key');
    const before = await kept();
    const { status, data } = await preview({ ...mail, variables: { name: 'A&B' }, from: 'me@elsewhere.example' });
    expect([status, data]).toEqual([
      200,
      {
        ...{ verdict: 'accepted', code: null, message: null, retryAt: null },
        ...{ channel: 'email', to: 'ada@example.com', from: platformAddress },
        ...{ subject: 'Hello A&B', html: '<b>A&amp;B</b>', text: null, segments: null, encoding: null },
        ...{ credits: 1, counter: 'email', creditsLeft: 100 },
      },
    ]);
    await preview({ ...mail, text: spam });
    // Only its key counts the request.
    expect(await kept()).toEqual(before);
  });

  it('200 shows segments, encoding and price of an sms, and what blocks it', async () => {
    const text = 'আ'.repeat(71);
    const { data } = await preview({ channel: 'sms', to: '+8801700000000', text });
    expect(data).toMatchObject({
      verdict: 'blocked',
      code: 'send_blocked',
      retryAt: null,
      segments: 2,
      encoding: 'ucs2',
    });
    expect(data).toMatchObject({ credits: 2, counter: 'smsMasked', from: null, subject: null, text });
    expect(data.message).toMatch(/No contact has this phone/);
    const free = await preview({ channel: 'whatsapp', to: '+8801700000000', text });
    expect(free.data).toMatchObject({ segments: null, credits: 0, counter: null, creditsLeft: null });
  });

  it('400 refuses a mail that is too long for an answer, although it could be sent', async () => {
    const longMail = (length: number) => ({ ...mail, text: '{{name}}', variables: { name: 'x'.repeat(length) } });
    const { status, error } = await preview({ ...longMail(1_300_000), subject: 'Hello' });
    expect([status, error.message]).toEqual([400, 'html, text: the expanded message is too long to be shown']);
    expect((await preview({ ...longMail(1_200_000), subject: 'Hello' })).status).toBe(200);
  });

  it('400 refuses a mail that is too large to be sent', async () => {
    const attachments = [{ filename: 'a', content: Buffer.alloc(7 * 1024 * 1024).toString('base64') }];
    const { status, error } = await preview({ ...mail, text: 'x'.repeat(450_000), attachments });
    expect([status, error.code]).toEqual([400, 'invalid_request']);
  });

  it('200 shows a missing template and missing credits as refused', async () => {
    const missing = await preview({ ...mail, templateId: newId(Date.now()) });
    expect(missing.data).toMatchObject({ verdict: 'refused', code: 'template_not_found', to: mail.to, subject: null });
    const poor = await world.newAccount({ credits: { email: 0 } });
    const unfunded = await preview(mail, poor);
    expect(unfunded.data).toMatchObject({ verdict: 'refused', code: 'insufficient_credits', creditsLeft: 0 });
  });

  it.each([
    [{ ...mail, to: 'nobody' }, 'invalid_recipient'],
    [{ channel: 'email', to: 'ada@example.com' }, 'invalid_request'],
    [{ ...mail, sendAt: '2020-01-01T00:00:00Z' }, 'invalid_request'],
    [{ ...mail, attachments: [{ filename: 'a.exe', content: '' }] }, 'invalid_attachment'],
    [
      { channel: 'sms', to: '+8801700000000', text: 't', attachments: [{ filename: 'a', content: '' }] },
      'invalid_attachment',
    ],
  ])('400 refuses a body that a send refuses: %j', async (body, code) => {
    const { status, error } = await preview(body);
    expect([status, error.code]).toEqual([400, code]);
  });
});

const situation = fc.record({
  channel: fc.constantFrom(...channels),
  status: fc.constantFrom('active' as const, 'active' as const, 'frozen' as const),
  credits: fc.constantFrom(0, 1, 100),
  isSpam: fc.constantFrom(false, false, true),
  hasConsent: fc.constantFrom(true, true, false),
  hasWindow: fc.boolean(),
  quietHours: fc.constantFrom(null, null, { start: '00:00', end: '23:59', withCountryRules: false }),
  frequencyCap: fc.constantFrom(null, { max: 1, windowSeconds: 3_600 }),
  isLater: fc.boolean(),
});

it('an upload that is not there is refused after what a send would refuse first', async () => {
  const attachments = [{ uploadId: newId(0) }];
  const { data } = await preview({ channel: 'email', to: mail.to, templateId: newId(0), attachments });
  expect(data).toMatchObject({ verdict: 'refused', code: 'template_not_found' });
  expect((await preview({ ...mail, to: 'bad', attachments })).error.code).toBe('invalid_recipient');
  expect((await preview({ ...mail, attachments })).error.code).toBe('invalid_attachment');
});

it('a preview and the send that follows it agree', async () => {
  let phones = 0;
  await fc.assert(
    fc.asyncProperty(situation, async ({ channel, credits, status, quietHours, frequencyCap, ...facts }) => {
      const nowMs = Date.now();
      const { ref } = await world.newAccount({
        credits: { email: credits, smsMasked: credits },
        settings: { ...newAccountSettings('Test'), status, quietHours, frequencyCap },
      });
      const phone = `+88016${String(++phones).padStart(8, '0')}`;
      const contactId = newId(nowMs);
      await world.contacts.create(ref, { id: contactId, details: detailsOf({ phone }) }, nowMs);
      const entry = { source: 'form', text: null, by: 'operator', at: iso(nowMs) } as const;
      if (facts.hasConsent)
        await world.consents.record(ref, contactId, { id: newId(nowMs), channel: 'sms', status: 'active', ...entry });
      if (facts.hasWindow) await world.windows.open(ref, phone, nowMs);
      const text = facts.isSpam ? spam : 'Hello';
      const body = {
        ...{ channel, text, subject: 'Hello', to: channel === 'email' ? 'ada@example.com' : phone },
        ...(facts.isLater && { sendAt: nowMs + 3_600_000 }),
      };
      const send = sender({ ...world, platformAddress, clock: Date.now });
      for (let n = 0; n < 2; n += 1) {
        const request = { account: ref, body, newId: newId(nowMs + n), nowMs };
        const previewed = await previewMessage({ ...world, platformAddress })({ path: {}, query: {}, ...request });
        const outcome = await send(request).then(
          ({ price }) => ({ code: null, message: null, credits: price.credits }),
          (thrown: unknown) =>
            thrown instanceof Fault ? { code: thrown.code, message: thrown.message } : Promise.reject(thrown),
        );
        expect(previewed).toMatchObject(outcome);
      }
    }),
    { numRuns: modelRuns(10) },
  );
});
