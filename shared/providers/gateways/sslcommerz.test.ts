import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { linesOf } from '../../../test/log-lines.ts';
import type { PaymentOrder } from '../../checkout/order.ts';
import { orderNumberOf } from '../../checkout/order-number.ts';
import type { Clock } from '../../kit/time.ts';
import type { GatewayHttp } from './gateway-http.ts';
import { impatient, orderOver, refundOver, type Trouble } from './gateway-server-fixture.ts';
import { sslcommerzAdapter } from './sslcommerz.ts';
import { refundRequestAnswer } from './sslcommerz-answers.ts';
import { startSslcommerz } from './sslcommerz-fixture.ts';

const credentials = { storeId: 'shop67890', storePassword: 'shop67890@ssl' };

let server: Awaited<ReturnType<typeof startSslcommerz>>;
beforeAll(async () => {
  server = await startSslcommerz(credentials);
});
afterEach(() => server.endTroubles());
afterAll(() => server.close());

const gatewayFor = (wishes = credentials, options: { readonly http?: GatewayHttp; readonly clock?: Clock } = {}) =>
  sslcommerzAdapter(wishes, { livemode: false, baseUrl: server.url, ...options });
const hurriedGateway = () => gatewayFor(credentials, { http: impatient });

const opened = async (amountMinor = 600_000, wishes: Partial<PaymentOrder> = {}): Promise<PaymentOrder> => {
  const order = orderOver(amountMinor, wishes);
  const opening = await gatewayFor().create(order);
  if (opening.kind !== 'opened') throw new Error(`not opened: ${JSON.stringify(opening)}`);
  return { ...order, reference: opening.reference };
};

const paid = async (amountMinor = 600_000): Promise<PaymentOrder> => {
  const order = await opened(amountMinor);
  server.attempt(orderNumberOf(order.paymentId), 'VALID');
  const { transactionId } = await gatewayFor().query(order);
  return { ...order, transactionId };
};

const troubles: readonly Trouble[] = ['silence', 'cut afterwards', '503', 'page', 'message'];

describe('beginning a payment', () => {
  it('sends every field that is required, and gives where the payer pays', async () => {
    const order = orderOver(600_000, {
      customer: { name: 'Ada', email: 'ada@example.com', phone: '+8801700000000' },
    });
    const opening = await gatewayFor().create(order);
    expect(opening).toEqual({
      kind: 'opened',
      redirectUrl: expect.stringContaining(`${server.url}/EasyCheckOut/`),
      reference: expect.stringMatching(/^[0-9A-F]{40}$/),
    });
    const tranId = orderNumberOf(order.paymentId);
    expect(server.sessions.get(tranId)).toMatchObject({
      ...{ total_amount: '6000.00', currency: 'BDT', tran_id: tranId },
      ...{ success_url: order.returnUrl, fail_url: order.returnUrl, cancel_url: order.returnUrl },
      ...{ ipn_url: order.notificationUrl, product_name: 'Two tickets' },
      ...{ cus_name: 'Ada', cus_email: 'ada@example.com', cus_phone: '+8801700000000' },
    });
  });

  it('needs nothing of the payer, and cuts what is too long', async () => {
    for (const wishes of [
      { description: undefined },
      { description: ' ', customer: { name: '', email: '', phone: '' } },
      { customer: { name: ' ', phone: ' ' } },
      {
        description: `🎫\n${'x'.repeat(600)}`,
        customer: { name: 'é'.repeat(200), email: `${'a'.repeat(60)}@example.com`, phone: '1'.repeat(40) },
      },
    ]) {
      const { paymentId } = await opened(1_000, wishes);
      expect(server.sessions.get(orderNumberOf(paymentId))?.['cus_email']).toBe('customer@example.com');
    }
  });

  it('returns the reason of a refusal', async () => {
    expect(await gatewayFor({ ...credentials, storePassword: 'wrong' }).create(orderOver(600_000))).toEqual({
      kind: 'refused',
      code: 'FAILED',
      reason: 'Store Credential Error Or Store is De-active',
    });
    expect(await gatewayFor().create(orderOver(999))).toMatchObject({ kind: 'refused' });
  });

  it('is not refused for its number, which an earlier try without an answer may have used', async () => {
    const order = orderOver(600_000);
    server.trouble('/api.php', 'silence afterwards');
    expect(await hurriedGateway().create(order)).toEqual({ kind: 'unavailable' });
    expect(await gatewayFor().create(order)).toEqual({ kind: 'unavailable' });
  });

  it.each(troubles)('is not possible now: %s', async (trouble) => {
    server.trouble('/api.php', trouble);
    expect(await hurriedGateway().create(orderOver(600_000))).toEqual({ kind: 'unavailable' });
  });

  it('is unavailable when the gateway is unreachable', async () => {
    const gateway = sslcommerzAdapter(credentials, { livemode: false, baseUrl: 'http://127.0.0.1:9' });
    expect(await gateway.create(orderOver(600_000))).toEqual({ kind: 'unavailable' });
  });

  it('is called at the sandbox with test money, and at the real place with real money', async () => {
    const called: string[] = [];
    const http =
      () =>
      async ({ url }: { readonly url: string }) => {
        called.push(new URL(url).host);
        return { kind: 'not_reached' } as const;
      };
    for (const livemode of [false, true])
      await sslcommerzAdapter(credentials, { livemode, http }).create(orderOver(600_000));
    expect(called).toEqual(['sandbox.sslcommerz.com', 'securepay.sslcommerz.com']);
  });
});

describe('asking for a payment', () => {
  it('is pending until the payer has paid, then succeeded with all that must be compared, however often it is asked', async () => {
    const order = await opened();
    expect(await gatewayFor().query(order)).toMatchObject({ state: 'pending' });
    server.attempt(orderNumberOf(order.paymentId), 'VALID');
    for (const code of ['VALID', 'VALIDATED', 'VALIDATED']) {
      expect(await gatewayFor().confirm(order, { status: 'cancel' })).toEqual({
        state: 'succeeded',
        code,
        amountMinor: 600_000,
        currency: 'BDT',
        paymentId: order.paymentId,
        transactionId: expect.any(String),
        isRisky: false,
      });
    }
  });

  it.each([
    ['FAILED', 'failed'],
    ['CANCELLED', 'cancelled'],
    ['EXPIRED', 'expired'],
    ['UNATTEMPTED', 'pending'],
    ['PENDING', 'pending'],
    ['SOMETHING_NEW', 'unknown'],
  ])('%s is %s', async (status, state) => {
    const order = await opened();
    server.attempt(orderNumberOf(order.paymentId), status);
    expect(await gatewayFor().query(order)).toMatchObject({ state });
  });

  it.each([
    [
      { no_of_trans_found: 1, element: { status: 'FAILED' } },
      { state: 'failed', code: 'FAILED' },
    ],
    [
      { no_of_trans_found: 1, element: { status: 'SOMETHING_NEW' } },
      { state: 'unknown', code: 'unreadable_tries' },
    ],
    [
      { no_of_trans_found: '2', element: 'x' },
      { state: 'unknown', code: 'unreadable_tries' },
    ],
    [{ no_of_trans_found: 1 }, { state: 'unknown', code: 'unreadable_tries' }],
    [
      { no_of_trans_found: 0, element: [] },
      { state: 'pending', code: 'not_found' },
    ],
    [{}, { state: 'pending', code: 'not_found' }],
    [{ element: [{ status: 'SOMETHING_NEW' }] }, { state: 'unknown', code: 'unreadable_tries' }],
    [
      { no_of_trans_found: 2, element: [{ status: 'UNATTEMPTED' }, { status: 'SOMETHING_NEW' }] },
      { state: 'unknown', code: 'unreadable_tries' },
    ],
    [
      { no_of_trans_found: 2, element: [{ status: 'FAILED' }, { status: null, val_id: 'x' }] },
      { state: 'unknown', code: 'unreadable_tries' },
    ],
    [
      { no_of_trans_found: 0, element: [{ status: '' }] },
      { state: 'pending', code: 'not_found' },
    ],
    [
      { no_of_trans_found: 2, element: [{ status: 'FAILED' }, { status: 'SOMETHING_NEW' }] },
      { state: 'unknown', code: 'unreadable_tries' },
    ],
  ])('reads a try without a list, and takes none for missing that is counted: %j', async (found, answer) => {
    const document = { APIConnect: 'DONE', ...found };
    const http = () => async () => ({ kind: 'answered', status: 200, document }) as const;
    expect(await gatewayFor(credentials, { http }).query(orderOver(600_000))).toEqual(answer);
  });

  it('is undecided where the payer has tried to pay, and not where they have only looked', async () => {
    const [tried, looked] = [await opened(), await opened()];
    server.attempt(orderNumberOf(tried.paymentId), 'PENDING');
    server.attempt(orderNumberOf(looked.paymentId), 'UNATTEMPTED');
    expect(await gatewayFor().query(tried)).toEqual({ state: 'pending', code: 'PENDING', isUndecided: true });
    expect(await gatewayFor().query(looked)).toEqual({ state: 'pending', code: 'UNATTEMPTED' });
  });

  it('has succeeded if any try has', async () => {
    const order = await opened();
    for (const status of ['FAILED', 'VALID', 'CANCELLED']) server.attempt(orderNumberOf(order.paymentId), status);
    expect(await gatewayFor().query(order)).toMatchObject({ state: 'succeeded', amountMinor: 600_000 });
  });

  it('reports another amount, currency or payment as it is, to the last poisha', async () => {
    for (const [wishes, answer] of [
      [{ amount: '5999.99' }, { amountMinor: 599_999, currency: 'BDT' }],
      [{ amount: '6000' }, { amountMinor: 600_000 }],
      [{ amount: '6000.5' }, { amountMinor: 600_050 }],
      [
        { currency_type: 'USD', currency_amount: '54.20' },
        { amountMinor: 5_420, currency: 'USD' },
      ],
    ] as const) {
      const order = await opened();
      server.attempt(orderNumberOf(order.paymentId), 'VALID', wishes);
      expect(await gatewayFor().query(order)).toMatchObject({
        state: 'succeeded',
        paymentId: order.paymentId,
        ...answer,
      });
    }
    const [order, other] = [await opened(), await opened()];
    for (const each of [other, order]) server.attempt(orderNumberOf(each.paymentId), 'VALID', { val_id: 'of other' });
    expect(await gatewayFor().query(order)).toMatchObject({ state: 'succeeded', paymentId: other.paymentId });
  });

  it.each(['6000.005', '6,000.00', '', 'abc', '-6000.00'])('concludes nothing from the amount "%s"', async (amount) => {
    const order = await opened();
    server.attempt(orderNumberOf(order.paymentId), 'VALID', { amount });
    expect(await gatewayFor().query(order)).toEqual({ state: 'unknown', code: 'unreadable_amount' });
  });

  it('reports a payment that the gateway calls risky as made, and as risky', async () => {
    const order = await opened();
    server.attempt(orderNumberOf(order.paymentId), 'VALID', { risk_level: '1', risk_title: 'Risky' });
    expect(await gatewayFor().query(order)).toMatchObject({ state: 'succeeded', isRisky: true });
  });

  it('believes the validation, and nothing where it speaks otherwise than the query', async () => {
    const [order, other] = [await opened(), await opened()];
    server.attempt(orderNumberOf(order.paymentId), 'VALID', { val_id: '' });
    expect(await gatewayFor().query(order)).toEqual({ state: 'unknown', code: 'INVALID_TRANSACTION' });
    server.attempt(orderNumberOf(order.paymentId), 'FAILED', { val_id: 'unsure' });
    server.attempt(orderNumberOf(other.paymentId), 'VALID', { val_id: 'unsure' });
    expect(await gatewayFor().query(other)).toMatchObject({ state: 'unknown', code: 'FAILED' });
  });

  it('tells a person of a payment that is listed as paid, and still not confirmed after a quarter of an hour', async () => {
    const order = await opened();
    server.attempt(orderNumberOf(order.paymentId), 'VALID', { val_id: '' });
    const linesAt = (minutes: number) =>
      linesOf(() => gatewayFor(credentials, { clock: () => order.createdMs + minutes * 60_000 }).query(order));
    const alarm = {
      needsPerson: true,
      accountId: order.accountId,
      paymentId: order.paymentId,
      code: 'INVALID_TRANSACTION',
    };
    expect(await linesAt(14)).not.toContainEqual(expect.objectContaining({ needsPerson: true }));
    expect(await linesAt(15)).toContainEqual(expect.objectContaining(alarm));
  });

  it.each(troubles)('concludes nothing from: %s', async (trouble) => {
    const order = await opened();
    server.attempt(orderNumberOf(order.paymentId), 'VALID');
    server.trouble('/merchantTransIDvalidationAPI.php', trouble);
    expect((await hurriedGateway().query(order)).state).toBe('unknown');
    server.trouble('/validationserverAPI.php', trouble);
    expect((await hurriedGateway().query(order)).state).toBe('unknown');
    expect((await gatewayFor().query(order)).state).toBe('succeeded');
  });

  it('concludes nothing when the store is not let in', async () => {
    const gateway = gatewayFor({ ...credentials, storePassword: 'wrong' });
    expect(await gateway.query(await opened())).toEqual({ state: 'unknown', code: 'INVALID_REQUEST' });
  });
});

describe('refunding', () => {
  it('is taken up at first, and has succeeded when the bank has done it', async () => {
    const [order, refund] = [await paid(), refundOver(250_050, { reason: 'Rain' })];
    const asked = await gatewayFor().refund(order, refund);
    expect(asked).toEqual({ state: 'pending', code: 'success', reference: expect.any(String) });
    const [call] = server.callsOf('/merchantTransIDvalidationAPI.php').slice(-1);
    expect(Object.fromEntries(new URL(call?.url ?? '', server.url).searchParams)).toMatchObject({
      bank_tran_id: order.transactionId,
      refund_trans_id: orderNumberOf(refund.refundId),
      refund_amount: '2500.50',
      refund_remarks: 'Rain',
    });
    const known = { ...refund, reference: asked.reference };
    expect(await gatewayFor().queryRefund(order, known)).toMatchObject({ state: 'pending' });
    server.endRefunds('refunded');
    expect(await gatewayFor().queryRefund(order, known)).toMatchObject({ state: 'succeeded' });
    server.endRefunds('cancelled');
    expect(await gatewayFor().queryRefund(order, known)).toMatchObject({ state: 'failed' });
  });

  it('fails where the gateway refuses it', async () => {
    const order = await paid(1_000);
    expect(await gatewayFor().refund(order, refundOver(1_001))).toMatchObject({
      state: 'failed',
      reason: 'Refund amount exceeds the transaction',
    });
  });

  it('that may have been made has not failed where the gateway refuses another request for it, whatever its words', async () => {
    const order = await paid(1_000);
    const refund = refundOver(1_001, { wasRequested: true });
    expect(await gatewayFor().refund(order, refund)).toMatchObject({ state: 'unknown', code: 'repeated' });
  });

  it('that was turned away at the door was not made, so it may be asked for again', async () => {
    const gateway = gatewayFor({ ...credentials, storePassword: 'wrong' });
    expect(await gateway.refund(await paid(), refundOver(100))).toMatchObject({
      ...{ state: 'unknown', code: 'INVALID_REQUEST', mayRetry: true },
    });
  });

  it('whose number is refused at the door as a repeated one stands, with the reference that it was given', () => {
    const refused = { APIConnect: 'INVALID_REQUEST', errorReason: 'Duplicate refund_trans_id' };
    expect(refundRequestAnswer({ ...refused, refund_ref_id: 'R1' }, { wasRequested: true })).toEqual({
      ...{ state: 'pending', code: 'repeated', reference: 'R1' },
    });
    expect(refundRequestAnswer(refused, { wasRequested: true })).not.toHaveProperty('mayRetry');
  });

  it('whose answer was lost is not to be asked for again, because it may have been made', async () => {
    const [order, refund] = [await paid(), refundOver(100)];
    server.trouble('/merchantTransIDvalidationAPI.php', 'silence afterwards');
    expect(await hurriedGateway().refund(order, refund)).toEqual({ state: 'unknown', code: 'no_answer' });
    expect(await gatewayFor().queryRefund(order, refund)).toEqual({ state: 'unknown', code: 'no_reference' });
  });

  it('knows when nothing was asked', async () => {
    const order = await paid();
    const gateway = sslcommerzAdapter(credentials, { livemode: false, baseUrl: 'http://127.0.0.1:9' });
    const nothing = { state: 'unknown', code: 'not_reached', mayRetry: true };
    expect(await gateway.refund(order, refundOver(100))).toEqual(nothing);
    const calls = server.received.length;
    expect((await gatewayFor().refund({ ...order, transactionId: undefined }, refundOver(100))).state).toBe('unknown');
    expect((await gatewayFor().queryRefund(order, refundOver(100))).state).toBe('unknown');
    expect(server.received).toHaveLength(calls);
  });
});

describe('a notification', () => {
  it('names the payment, and is genuine as the gateway signs it', async () => {
    const order = await opened();
    const body = server.attempt(orderNumberOf(order.paymentId), 'VALID');
    expect(gatewayFor().parseNotification({}, body)).toEqual({
      reference: order.paymentId,
      transactionId: new URLSearchParams(body).get('bank_tran_id'),
      isPaid: true,
      isGenuine: true,
    });
  });

  it('is not genuine once a field that is signed has changed, or the sign, or the store', async () => {
    const order = await opened();
    const body = server.attempt(orderNumberOf(order.paymentId), 'FAILED');
    const changed = (name: string, value: string) => {
      const fields = new URLSearchParams(body);
      fields.set(name, value);
      return fields.toString();
    };
    for (const forged of [
      changed('status', 'VALID'),
      changed('amount', '1.00'),
      changed('verify_sign_sha2', '0'.repeat(64)),
      changed('verify_key', ''),
      changed('verify_key', 'status'),
    ]) {
      expect(gatewayFor().parseNotification({}, forged)?.isGenuine).toBe(false);
    }
    const other = gatewayFor({ ...credentials, storePassword: 'other' });
    expect(other.parseNotification({}, body)?.isGenuine).toBe(false);
  });

  it.each(['', 'hello', '{"tran_id":"x"}', 'tran_id=', 'tran_id=123', `tran_id=${'z'.repeat(25)}`, '%', 'a=%ff&&=&='])(
    'is none of ours: "%s"',
    (body) => {
      expect(gatewayFor().parseNotification({}, body)).toBeUndefined();
    },
  );
});

describe('the log of SSLCommerz calls', () => {
  it('never has credentials, addresses with their query, or what the payer gave', async () => {
    vi.stubEnv('LOG_LEVEL', 'debug');
    const lines: string[] = [];
    const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      stdout.mockRestore();
    });
    const order = await opened(600_000, { customer: { name: 'Ada', phone: '+8801700000000' } });
    server.attempt(orderNumberOf(order.paymentId), 'VALID');
    await gatewayFor().query(order);
    stdout.mockRestore();
    const text = lines.join('');
    expect(text).toContain('/validator/api/validationserverAPI.php');
    for (const secret of [
      credentials.storePassword,
      credentials.storeId,
      'store_passwd',
      '?',
      'Ada',
      '8801700000000',
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});
