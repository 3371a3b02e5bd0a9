import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PaymentOrder } from '../../checkout/order.ts';
import { orderNumberOf } from '../../checkout/order-number.ts';
import { bkashAdapter } from './bkash.ts';
import { executionAnswer, refundRequestAnswer } from './bkash-answers.ts';
import { dhakaTime, type FakeBkash, startBkash } from './bkash-fixture.ts';
import type { BkashToken } from './bkash-token.ts';
import { impatient, orderOver, refundOver, type Trouble } from './gateway-server-fixture.ts';

const merchant = { username: 'shop', password: 'shop@12345', appKey: 'app-key', appSecret: 'app-secret' };

let server: FakeBkash;
beforeAll(async () => {
  server = await startBkash(merchant);
});
afterEach(() => server.endTroubles());
afterAll(() => server.close());
beforeEach(() => {
  server.endTokens();
  server.nameInvoice('merchantInvoiceNumber');
});

const memory = () => {
  let kept: BkashToken | undefined;
  return {
    read: async () => kept,
    write: async (token: BkashToken) => {
      kept = token;
    },
  };
};

const gatewayFor = (wishes: Partial<Parameters<typeof bkashAdapter>[1]> = {}, credentials = merchant) =>
  bkashAdapter(credentials, { livemode: false, tokens: memory(), baseUrl: server.url, ...wishes });
const hurriedGateway = () => gatewayFor({ http: impatient });

const opened = async (amountMinor = 150_000, wishes: Partial<PaymentOrder> = {}) => {
  const order = orderOver(amountMinor, wishes);
  const opening = await gatewayFor().create(order);
  if (opening.kind !== 'opened') throw new Error(`not opened: ${JSON.stringify(opening)}`);
  return { ...order, reference: opening.reference };
};

const approved = async (amountMinor?: number) => {
  const order = await opened(amountMinor);
  server.approve(order.reference);
  return order;
};

const paid = async (amountMinor?: number) => {
  const order = await approved(amountMinor);
  const { transactionId } = await gatewayFor().confirm(order, { status: 'success' });
  return { ...order, transactionId, confirmationAttempted: true };
};

const execute = '/tokenized/checkout/execute';
const status = '/tokenized/checkout/payment/status';

describe('beginning a payment', () => {
  it('gives where the payer approves it', async () => {
    const order = orderOver(150_000, { customer: { phone: '+8801770618575' } });
    const opening = await gatewayFor().create(order);
    if (opening.kind !== 'opened') throw new Error('not opened');
    expect(opening.redirectUrl).toBe(
      `${server.url}/redirect/tokenized/?paymentID=${opening.reference}&hash=x&mode=0011`,
    );
    expect(server.payment(opening.reference)).toMatchObject({
      amount: '1500.00',
      currency: 'BDT',
      invoice: orderNumberOf(order.paymentId),
      callbackURL: order.returnUrl,
      payerReference: '01770618575',
    });
    const [call] = server.callsOf('/checkout/create').slice(-1);
    expect(call?.headers).toMatchObject({ authorization: expect.stringMatching(/^id/), 'x-app-key': 'app-key' });
  });

  it.each([undefined, '', '+14155550100', 'none'])('needs no wallet of the payer: %s', async (phone) => {
    const order = await opened(100, { customer: phone === undefined ? {} : { phone } });
    expect(server.payment(order.reference).payerReference).toBe(orderNumberOf(order.paymentId));
  });

  it('returns the reason of a refusal', async () => {
    const refused = { kind: 'refused', code: '2006', reason: 'Invalid amount' };
    expect(await gatewayFor().create(orderOver(99))).toEqual(refused);
  });

  it('is not possible now: bKash lets the merchant not in', async () => {
    const gateway = gatewayFor({}, { ...merchant, password: 'wrong' });
    expect(await gateway.create(orderOver(150_000))).toEqual({ kind: 'unavailable' });
  });

  it.each<Trouble>(['silence', 'cut afterwards', '503', 'page', 'message'])(
    'is not possible now: %s',
    async (trouble) => {
      server.trouble('/checkout/create', trouble);
      expect(await hurriedGateway().create(orderOver(150_000))).toEqual({ kind: 'unavailable' });
    },
  );

  it('is called at the sandbox with test money, and at the real place with real money', async () => {
    const called: string[] = [];
    const http =
      () =>
      async ({ url }: { readonly url: string }) => {
        called.push(new URL(url).host);
        return { kind: 'not_reached' } as const;
      };
    for (const livemode of [false, true]) {
      await bkashAdapter(merchant, { livemode, http, tokens: memory() }).create(orderOver(150_000));
    }
    expect(called).toEqual(['tokenized.sandbox.bka.sh', 'tokenized.pay.bka.sh']);
  });
});

describe('confirming a payment', () => {
  it('moves the money that the payer has approved', async () => {
    const order = await approved();
    expect(await gatewayFor().confirm(order, { status: 'success' })).toEqual({
      state: 'succeeded',
      code: 'Completed',
      amountMinor: 150_000,
      currency: 'BDT',
      paymentId: order.paymentId,
      reference: order.reference,
      transactionId: server.payment(order.reference).trxID,
    });
  });

  it('done twice is answered as once: the second execution finds the first', async () => {
    const order = await approved();
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await gatewayFor().confirm(order, { status: 'success' }));
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it.each<Trouble>(['silence afterwards', 'cut afterwards', 'page', 'message'])(
    'finds the money that moved before: %s',
    async (trouble) => {
      const order = await approved();
      if (trouble === 'page' || trouble === 'message') await gatewayFor().confirm(order, { status: 'success' });
      server.trouble(execute, trouble);
      expect(await hurriedGateway().confirm(order, { status: 'success' })).toMatchObject({
        state: 'succeeded',
        amountMinor: 150_000,
      });
    },
  );

  it('concludes nothing when there is no answer at all, and finds the money later', async () => {
    const order = await approved();
    server.trouble(execute, 'silence afterwards');
    server.trouble(status, 'silence');
    expect(await hurriedGateway().confirm(order, { status: 'success' })).toEqual({
      state: 'unknown',
      code: 'no_answer',
    });
    expect(await gatewayFor().query(order)).toMatchObject({ state: 'succeeded' });
  });

  it('is pending while the payer has not approved, regardless of what the browser says', async () => {
    const order = await opened();
    expect(await gatewayFor().confirm(order, { status: 'success' })).toMatchObject({ state: 'pending' });
    expect(server.payment(order.reference).trxID).toBeUndefined();
    server.approve(order.reference);
    expect(await gatewayFor().confirm(order, { status: 'success' })).toMatchObject({ state: 'succeeded' });
  });

  it.each(['2023', '2037', '2038', '2039', '2040', '2041', '2057', '2058', '2080', '2081', '2082'])(
    'fails where bKash refuses it for certain: %s',
    async (code) => {
      const order = await approved();
      server.payment(order.reference).refusal = { code, message: 'The reason' };
      const answer = await gatewayFor().confirm(order, { status: 'success' });
      expect(answer).toEqual({ state: 'failed', code, reason: 'The reason' });
    },
  );

  it.each([
    ...['2003', '2029', '2117', '9999', '2999'].map((code) => [code, code]),
    // Of a proxy before bKash.
    ['504', 'unclear'],
  ])(
    'concludes nothing where the refusal leaves open what will become of it, and may succeed later: %s',
    async (code, known) => {
      const order = await approved();
      server.payment(order.reference).refusal = { code, message: 'Process failed' };
      expect(await gatewayFor().confirm(order, { status: 'success' })).toMatchObject({ state: 'unknown', code: known });
      server.payment(order.reference).refusal = undefined;
      expect(await gatewayFor().confirm(order, { status: 'success' })).toMatchObject({ state: 'succeeded' });
    },
  );

  it('concludes nothing from "invalid state" once an earlier execution was lost: bkash may be at work on that', async () => {
    const order = await opened();
    const again = { ...order, confirmationAttempted: true };
    expect(await gatewayFor().confirm(order, { status: 'success' })).toMatchObject({ state: 'pending' });
    expect(await gatewayFor().confirm(again, { status: 'success' })).toMatchObject({ state: 'unknown', code: '2056' });
  });

  it('does not believe the browser that money which is held was not paid', async () => {
    const order = await opened();
    server.payment(order.reference).status = 'Authorized';
    for (const word of ['success', 'cancel', 'failure'])
      expect(await gatewayFor().confirm(order, { status: word })).toMatchObject({
        state: 'pending',
        isUndecided: true,
      });
  });

  it.each([
    ['cancel', 'cancelled'],
    ['failure', 'failed'],
  ])('%s is %s, and executes nothing', async (word, state) => {
    const [order, before] = [await approved(), server.callsOf(execute).length];
    expect(await gatewayFor().confirm(order, { status: word })).toMatchObject({ state, code: word });
    expect(server.callsOf(execute)).toHaveLength(before);
  });

  it('does not believe a cancellation once anything has been executed', async () => {
    const order = await paid();
    for (const word of ['cancel', 'failure']) {
      expect(await gatewayFor().confirm(order, { status: word })).toMatchObject({ state: 'succeeded' });
    }
    const [unsure, before] = [{ ...(await approved()), confirmationAttempted: true }, server.callsOf(execute).length];
    expect(await gatewayFor().confirm(unsure, { status: 'cancel' })).toMatchObject({ state: 'pending' });
    expect(server.callsOf(execute)).toHaveLength(before);
  });

  it('knows when nothing was asked', async () => {
    const order = await approved();
    const nothing = { state: 'unknown', code: 'not_reached', mayRetry: true };
    expect(await gatewayFor({ baseUrl: 'http://127.0.0.1:9' }).confirm(order, { status: 'success' })).toEqual(nothing);
    expect((await gatewayFor().confirm({ ...order, reference: undefined }, {})).state).toBe('unknown');
  });
});

describe('asking for a payment', () => {
  it('reads the invoice by either of its names', async () => {
    const order = await paid();
    server.nameInvoice('merchantInvoice');
    expect(await gatewayFor().query(order)).toMatchObject({ state: 'succeeded', paymentId: order.paymentId });
  });

  it.each([
    ['Initiated', 'pending'],
    ['Authorized', 'pending'],
    ['Cancelled', 'cancelled'],
    ['Failed', 'failed'],
    ['Declined', 'failed'],
    ['Expired', 'expired'],
    ['completed', 'unknown'],
    ['Something', 'unknown'],
    ['', 'unknown'],
  ])('"%s" is %s', async (transactionStatus, state) => {
    const order = await opened();
    server.payment(order.reference).status = transactionStatus;
    expect(await gatewayFor().query(order)).toMatchObject({ state });
  });

  it('is undecided while the money is held', async () => {
    const order = await opened();
    server.payment(order.reference).status = 'Authorized';
    expect(await gatewayFor().query(order)).toMatchObject({ state: 'pending', isUndecided: true });
  });

  it('reports another amount, currency or invoice as it is', async () => {
    const order = await paid();
    for (const [change, answer] of [
      [{ amount: '1499.99' }, { amountMinor: 149_999 }],
      [{ amount: '15' }, { amountMinor: 1_500 }],
      [{ currency: 'USD' }, { currency: 'USD' }],
    ] as const) {
      Object.assign(server.payment(order.reference), change);
      expect(await gatewayFor().query(order)).toMatchObject({ state: 'succeeded', ...answer });
    }
    Object.assign(server.payment(order.reference), { invoice: 'INV-1' });
    expect(await gatewayFor().query(order)).not.toHaveProperty('paymentId');
  });

  it.each(['1500.001', '1,500.00', '', 'x'])('concludes nothing from the amount "%s"', async (amount) => {
    const order = await paid();
    Object.assign(server.payment(order.reference), { amount });
    expect(await gatewayFor().query(order)).toEqual({ state: 'unknown', code: 'unreadable_amount' });
  });

  it('concludes nothing from an answer about another payment', async () => {
    const order = await paid();
    Object.assign(server.payment(order.reference), { paymentID: 'TR0011OTHER' });
    expect(await gatewayFor().query(order)).toEqual({ state: 'unknown', code: 'other_payment' });
  });

  it('says of an answer that speaks of no payment what it says itself', async () => {
    const order = await paid();
    server.trouble(status, 'message');
    expect(await gatewayFor().query(order)).toMatchObject({
      state: 'unknown',
      code: 'unclear',
      reason: expect.any(String),
    });
  });

  it.each<Trouble>(['silence', 'cut afterwards', '503', 'page', 'message'])(
    'concludes nothing from: %s',
    async (trouble) => {
      const order = await paid();
      server.trouble(status, trouble);
      expect((await hurriedGateway().query(order)).state).toBe('unknown');
    },
  );

  it('concludes nothing from an error with HTTP 200', async () => {
    expect(await gatewayFor().query({ ...(await opened()), reference: 'TR0011NONE' })).toEqual({
      state: 'unknown',
      code: '2002',
      reason: 'Invalid Payment ID',
    });
  });
});

describe('refunding', () => {
  it('succeeds with bKash’s own name of the refund, in parts too', async () => {
    const order = await paid();
    const [refund] = [refundOver(50_050, { reason: 'Rain' })];
    const answer = await gatewayFor().refund(order, refund);
    const [made] = server.refundsOf(order.reference);
    expect(answer).toEqual({
      state: 'succeeded',
      code: 'Completed',
      amountMinor: 50_050,
      reference: made?.refundTrxId,
    });
    expect(JSON.parse(server.callsOf('/refund/payment/transaction').at(-1)?.body ?? '')).toEqual({
      ...{ paymentId: order.reference, trxId: order.transactionId, refundAmount: '500.50' },
      ...{ sku: orderNumberOf(refund.refundId), reason: 'Rain' },
    });
    expect(await gatewayFor().queryRefund(order, { ...refund, reference: answer.reference })).toEqual(answer);
    expect(await gatewayFor().refund(order, refundOver(99_950))).toMatchObject({ state: 'succeeded' });
    expect(await gatewayFor().refund(order, refundOver(1))).toEqual({
      state: 'failed',
      code: '2072',
      reason: 'Refund amount not valid',
    });
  });

  it.each<Trouble>(['silence afterwards', 'cut afterwards'])(
    'finds the refund that was made before: %s',
    async (trouble) => {
      const [order, refund] = [await paid(), refundOver(10_000)];
      server.trouble('/refund/payment/transaction', trouble);
      expect(await hurriedGateway().refund(order, refund)).toMatchObject({ state: 'succeeded', amountMinor: 10_000 });
      expect(await gatewayFor().queryRefund(order, refund)).toMatchObject({ state: 'succeeded', amountMinor: 10_000 });
      expect(server.refundsOf(order.reference)).toHaveLength(1);
    },
  );

  it('never matches another refund', async () => {
    const order = await paid();
    const long = { refundTransactionStatus: 'Completed', completedTime: dhakaTime(Date.now() - 3_600_000) };
    server.addRefund(order.reference, { refundTrxId: 'R1', refundAmount: '100.00', ...long });
    const known = await gatewayFor().refund(order, refundOver(10_000));
    const refund = refundOver(10_000, { otherReferences: [known.reference ?? ''] });
    server.trouble('/refund/payment/transaction', 'message');
    expect((await gatewayFor().refund(order, refund)).state).toBe('unknown');
    expect(await gatewayFor().queryRefund(order, refund)).toEqual({
      state: 'unknown',
      code: 'refund_not_found',
      isUnlisted: true,
    });
    for (let n = 0; n < 2; n += 1) await gatewayFor().refund(order, refundOver(10_000));
    expect(await gatewayFor().queryRefund(order, refund)).toEqual({ state: 'unknown', code: 'several_refunds' });
  });

  it('does not take a refund for missing that may be listed without its end', async () => {
    const order = await paid();
    const unended = { refundTransactionStatus: 'Initiated', completedTime: '' };
    server.addRefund(order.reference, { refundTrxId: 'R2', refundAmount: '100.00', ...unended });
    expect(await gatewayFor().queryRefund(order, refundOver(10_000))).not.toHaveProperty('isUnlisted');
    expect(await gatewayFor().queryRefund(order, refundOver(20_000))).toMatchObject({ isUnlisted: true });
  });

  it.each(['.555Z', 'Z', '+00:00'])(
    'does not take a refund for missing whose end is written in another form, with "%s"',
    async (ending) => {
      const order = await paid();
      const second = new Date().toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
      const ended = { refundTransactionStatus: 'Completed', completedTime: `${second}${ending}` };
      server.addRefund(order.reference, { refundTrxId: 'R3', refundAmount: '100.00', ...ended });
      expect(await gatewayFor().queryRefund(order, refundOver(10_000))).not.toHaveProperty('isUnlisted');
    },
  );

  it.each(['100.00 BDT', '৳100.00', ''])(
    'does not take a refund for missing whose amount is written as "%s"',
    async (refundAmount) => {
      const order = await paid();
      const ended = { refundTransactionStatus: 'Completed', completedTime: dhakaTime(Date.now()) };
      server.addRefund(order.reference, { refundTrxId: 'R5', refundAmount, ...ended });
      expect(await gatewayFor().queryRefund(order, refundOver(10_000))).toEqual({
        state: 'unknown',
        code: 'Completed',
      });
    },
  );

  it.each([':555 GMT+0600', '.555 GMT+0600', ' GMT+0600', ':555', ''])(
    'reads the end of a refund with a second that ends in "%s"',
    async (ending) => {
      const [order, refund] = [await paid(), refundOver(10_000)];
      const second = dhakaTime(Date.now()).slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
      const ended = { refundTransactionStatus: 'Completed', completedTime: `${second}${ending}` };
      server.addRefund(order.reference, { refundTrxId: 'R4', refundAmount: '100.00', ...ended });
      expect(await gatewayFor().queryRefund(order, refund)).toMatchObject({ state: 'succeeded', reference: 'R4' });
    },
  );

  it('finds a refund that was made before, where bKash refuses to make it again', async () => {
    const order = await paid(150_000);
    const refund = refundOver(150_000);
    const { reference } = await gatewayFor().refund(order, refund);
    expect(await gatewayFor().refund(order, refund)).toMatchObject({ state: 'succeeded', reference });
    expect(server.refundsOf(order.reference)).toHaveLength(1);
  });

  it.each<Trouble>(['cut', '503', 'message'])(
    'has not failed where bKash refuses it again, and does not say what became of the request before: %s',
    async (trouble) => {
      const order = await paid(150_000);
      const refund = refundOver(150_000);
      await gatewayFor().refund(order, refund);
      server.trouble('/refund/payment/status', trouble);
      expect(await gatewayFor().refund(order, refund)).toEqual({
        state: 'unknown',
        code: '2072',
        reason: 'Refund amount not valid',
      });
      expect(await gatewayFor().queryRefund(order, refund)).toMatchObject({ state: 'succeeded' });
    },
  );

  it('has not failed for good where an account may not receive a payment now', () => {
    const reply = { kind: 'answered', status: 200, document: { statusCode: '2041', statusMessage: 'No.' } } as const;
    expect(refundRequestAnswer(reply)).toBeUndefined();
    expect(executionAnswer(reply, 'x')).toMatchObject({ state: 'failed' });
  });

  it('is not to be made again because a question about it did not reach bKash', async () => {
    const [order, refund] = [await paid(), refundOver(10_000)];
    await gatewayFor().refund(order, refund);
    expect(await gatewayFor({ baseUrl: 'http://127.0.0.1:9' }).queryRefund(order, refund)).toEqual({
      state: 'unknown',
      code: 'not_reached',
      mayRetry: false,
    });
  });

  it('knows when nothing was asked', async () => {
    const order = await paid();
    const gateway = gatewayFor({ baseUrl: 'http://127.0.0.1:9' });
    expect(await gateway.refund(order, refundOver(100))).toEqual({
      state: 'unknown',
      code: 'not_reached',
      mayRetry: true,
    });
  });
});

describe('the token', () => {
  const grants = () => server.callsOf('/token/grant').length;
  const refreshes = () => server.callsOf('/token/refresh').length;

  it('is asked for once, by all who come at once, and found by other functions', async () => {
    const [tokens, before] = [memory(), grants()];
    const gateway = gatewayFor({ tokens });
    const openings = await Promise.all(Array.from({ length: 5 }, () => gateway.create(orderOver(150_000))));
    expect(openings.map(({ kind }) => kind)).toEqual(Array(5).fill('opened'));
    await gatewayFor({ tokens }).create(orderOver(150_000));
    expect(grants()).toBe(before + 1);
  });

  it.each(['2079', '401', '403'] as const)(
    'that is refused with %s is granted anew, once, and the call made again',
    async (how) => {
      let nowMs = Date.now();
      const gateway = gatewayFor({ clock: () => nowMs });
      const order = await approved();
      await gateway.query(order);
      const before = grants();
      server.endTokens(how);
      nowMs += 120_000;
      expect(await gateway.confirm(order, { status: 'success' })).toMatchObject({ state: 'succeeded' });
      expect(grants()).toBe(before + 1);
      server.endTokens(how);
      const answers = await Promise.all([gateway.query(order), gateway.query(order)]);
      expect(answers.map(({ state }) => state)).toEqual(['unknown', 'unknown']);
      expect(grants()).toBe(before + 1);
    },
  );

  it('is renewed before its end by its refresh token, and granted anew when that is refused', async () => {
    let nowMs = Date.now();
    const gateway = gatewayFor({ clock: () => nowMs });
    const order = await opened();
    await gateway.query(order);
    const before = { grants: grants(), refreshes: refreshes() };
    nowMs += 58 * 60_000;
    expect(await gateway.query(order)).toMatchObject({ state: 'pending' });
    expect([grants() - before.grants, refreshes() - before.refreshes]).toEqual([0, 1]);
    server.endRefreshTokens();
    nowMs += 58 * 60_000;
    expect(await gateway.query(order)).toMatchObject({ state: 'pending' });
    expect([grants() - before.grants, refreshes() - before.refreshes]).toEqual([1, 2]);
  });

  it('serves until its end when it cannot be renewed', async () => {
    let nowMs = Date.now();
    const gateway = gatewayFor({ clock: () => nowMs });
    const order = await opened();
    await gateway.query(order);
    const fail = () => {
      server.trouble('/token/refresh', '503');
      server.trouble('/token/grant', '503');
    };
    fail();
    nowMs += 58 * 60_000;
    expect(await gateway.query(order)).toMatchObject({ state: 'pending' });
    fail();
    nowMs += 3 * 60_000;
    expect(await gateway.query(order)).toEqual({ state: 'unknown', code: 'not_reached', mayRetry: true });
  });

  it('of other credentials is not used', async () => {
    const [tokens, before] = [memory(), grants()];
    await gatewayFor({ tokens }).create(orderOver(150_000));
    await gatewayFor({ tokens }, { ...merchant, password: 'changed' }).create(orderOver(150_000));
    expect(grants()).toBe(before + 2);
  });

  it('lives as long as bKash says', async () => {
    onTestFinished(() => server.grantFor(3_600));
    server.grantFor(60);
    let nowMs = Date.now();
    const gateway = gatewayFor({ clock: () => nowMs });
    const order = await opened();
    const before = refreshes();
    await gateway.query(order);
    nowMs += 59_000;
    await gateway.query(order);
    expect(refreshes()).toBe(before + 1);
  });
});

describe('a notification', () => {
  it('is never of bKash, which sends none', () => {
    expect(gatewayFor().parseNotification({}, 'status=success')).toBeUndefined();
  });
});

describe('the log of bKash calls', () => {
  it('never has credentials, tokens, or what the payer gave', async () => {
    vi.stubEnv('LOG_LEVEL', 'debug');
    const lines: string[] = [];
    const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      stdout.mockRestore();
    });
    await opened(150_000, { customer: { name: 'Ada', phone: '+8801770618575' } });
    await gatewayFor({}, { ...merchant, password: 'secret' }).create(orderOver(150_000));
    stdout.mockRestore();
    const text = lines.join('');
    expect(text).toContain('/v1.2.0-beta/tokenized/checkout/create');
    expect(text).toContain('bKash gave no token');
    for (const secret of [...Object.values(merchant), 'Bearer', 'Ada', '1770618575', 'authorization']) {
      expect(text).not.toContain(secret);
    }
  });
});
