import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRefundContract } from '../functions/admin/create-refund/contract.ts';
import { createRefund } from '../functions/admin/create-refund/handler.ts';
import { openTexting, type Texting } from '../functions/messages/send-message/text-fixture.ts';
import { createTemplateContract } from '../functions/templates/create-template/contract.ts';
import { createTemplate } from '../functions/templates/create-template/handler.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { keylessSurface } from '../shared/http/keyless-surface.ts';
import { type Answered, call } from './call.ts';
import { checkoutCalls } from './checkout-calls.ts';
import { answeredPayment } from './checkout-fixture.ts';
import { contactCalls } from './contacts-calls.ts';

// Every endpoint with an Idempotency-Key, when its writes are executed and their answers are lost.

let texting: Texting;
beforeAll(async () => {
  texting = await openTexting();
});
afterAll(() => texting.world.close());

const headers = { 'idempotency-key': 'order-1042' };

/** The first request loses the answers to all its writes and fails; then it is repeated at once with its key. */
const repeatedAfterLoss = async (request: () => Promise<Answered>): Promise<Answered> => {
  const stop = texting.world.loseAnswers((call) => call === 'TransactWriteItems', { forGood: true });
  const lost = await request();
  stop();
  expect(lost.status).toBeGreaterThanOrEqual(500);
  return request();
};

describe('a request whose writes got no answer, repeated with its Idempotency-Key', () => {
  it('POST /messages: 201, one email for one credit', async () => {
    const { ref, key } = await texting.world.newAccount();
    const mail = { channel: 'email', to: 'lost@example.com', subject: 'Hello', text: 'It works.' };
    const retry = await repeatedAfterLoss(() => texting.send(mail, { key, headers }));
    expect([retry.status, retry.body.data.status]).toEqual([201, 'sent']);
    await texting.mailTo(mail.to);
    expect(await texting.traces(ref)).toEqual({ credits: 99, messages: 1, contacts: 1 });
  });

  it.each(['sms', 'whatsapp'])('POST /messages: 201, one %s message', async (channel) => {
    const { ref, key, phone } = await texting.reachable({ settings: { frequencyCap: { max: 1, windowSeconds: 60 } } });
    const text = { channel, to: phone, text: 'Hi' };
    const retry = await repeatedAfterLoss(() => texting.send(text, { key, headers }));
    expect([retry.status, retry.body.data.status]).toEqual([201, 'queued']);
    expect(await texting.traces(ref)).toMatchObject({ messages: 1 });
    expect((await texting.world.accounts.credits(ref.id))?.smsMasked).toBe(channel === 'sms' ? 99 : 100);
  });

  it('POST /contacts: 201, one contact', async () => {
    const { ref, key } = await texting.world.newAccount();
    const { create } = contactCalls(texting.world);
    const retry = await repeatedAfterLoss(() => create(key, { email: 'lost@example.com' }, headers));
    expect([retry.status, retry.body.data.email]).toEqual([201, 'lost@example.com']);
    expect(await texting.traces(ref)).toMatchObject({ contacts: 1 });
  });

  it('POST /contacts/bulk: 200, each row created once', async () => {
    const { ref, key } = await texting.world.newAccount();
    const { createAll } = contactCalls(texting.world);
    const rows = Array.from({ length: 5 }, (_, n) => ({ email: `lost-${n}@example.com` }));
    const retry = await repeatedAfterLoss(() => createAll(key, rows, headers));
    expect([retry.status, retry.body.data]).toMatchObject([200, { created: 5, duplicates: 0, errors: 0 }]);
    expect(await texting.traces(ref)).toMatchObject({ contacts: 5 });
  });

  it('POST /templates: 201, one template', async () => {
    const { ref, key } = await texting.world.newAccount();
    const create = endpoint(
      createTemplateContract,
      createTemplate(texting.world),
      texting.world.callers('templates:write'),
    );
    const body = { channel: 'sms', name: 'Lost', textContent: 'Hi' };
    const retry = await repeatedAfterLoss(() => call(create, { key, headers, body }));
    expect(retry.status).toBe(201);
    expect(await texting.world.templates.list(ref)).toHaveLength(1);
  });

  it('POST /v1/checkout-sessions: 201, the session of the first request', async () => {
    const calls = checkoutCalls(texting.world);
    const { key } = await calls.newMerchant();
    const retry = await repeatedAfterLoss(() => calls.create(key, {}, headers));
    expect([retry.status, retry.headers['Idempotent-Replay']]).toEqual([201, 'true']);
    expect((await calls.create(key, {}, headers)).body.data.id).toBe(retry.body.data.id);
  });

  it('POST …/refunds: 201, one full refund', async () => {
    const { world } = texting;
    const paid = await answeredPayment(world, await world.newAccount(), { state: 'succeeded' });
    const refund = endpoint(createRefundContract, createRefund(world), keylessSurface);
    const path = { paymentId: paid.payment.id };
    const retry = await repeatedAfterLoss(() => call(refund, { path, headers, body: {} }));
    expect([retry.status, retry.body.data.amountMinor]).toEqual([201, 600_000]);
    expect(await world.refunds.list(paid)).toHaveLength(1);
  });
});

it('201 finds a message that was accepted before its key was completed, although the account has been frozen since', async () => {
  const { world } = texting;
  const { ref, key } = await world.newAccount();
  const mail = { channel: 'email', to: 'frozen@example.com', subject: 'Hello', text: 'It works.' };
  const complete = () => Promise.reject(new Error('the key service is away'));
  const first = await texting.send(mail, { key, headers, idempotencyKeys: { ...world.idempotencyKeys, complete } });
  expect(first.status).toBe(201);
  await texting.change(ref.id, { status: 'frozen' });
  const retry = await texting.send(mail, { key, headers });
  expect([retry.status, retry.body.data.id]).toEqual([201, first.body.data.id]);
  await texting.mailTo(mail.to);
});
