import type { IncomingHttpHeaders } from 'node:http';
import { type GatewayWorld, realWorld, startGatewayServer } from './gateway-server-fixture.ts';

interface FakePayment {
  readonly paymentID: string;
  /** What the payer pays: as a rule what was asked for. */
  amount: string;
  readonly currency: string;
  readonly invoice: string;
  readonly callbackURL: string;
  readonly payerReference: string;
  hasApproved: boolean;
  hasBeenExecuted: boolean;
  trxID: string | undefined;
  status: string;
  /** Why bKash will not execute it. */
  refusal: { readonly code: string; readonly message: string } | undefined;
  /** What bKash says of it instead. */
  readonly reports: Record<string, string>;
}

interface FakeRefund {
  readonly refundTrxId: string;
  readonly refundTransactionStatus: string;
  readonly refundAmount: string;
  readonly completedTime: string;
}

type Body = Readonly<Record<string, string | undefined>>;

/** As bKash writes it: Dhaka's time, milliseconds behind a colon. */
export const dhakaTime = (timeMs: number): string =>
  new Date(timeMs + 6 * 3_600_000).toISOString().replace(/\.(\d{3})Z$/, ':$1 GMT+0600');

const ok = { statusCode: '0000', statusMessage: 'Successful' } as const;
const refused = (statusCode: string, statusMessage: string) => ({ json: { statusCode, statusMessage } });

interface Merchant {
  readonly username: string;
  readonly password: string;
  readonly appKey: string;
  readonly appSecret: string;
}

interface Call {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** bKash Tokenized Checkout by URL with one merchant: tokens that end, payers who approve or do not, money that moves at the execution. */
export const bkashGateway = (merchant: Merchant, { url, nowMs, idOf }: GatewayWorld) => {
  const payments = new Map<string, FakePayment>();
  const refunds = new Map<string, FakeRefund[]>();
  /** The numbers that refunds were asked for with. */
  const refunded = new Set<string>();
  const tokens = new Set<string>();
  const refreshTokens = new Set<string>();
  let invoiceName = 'merchantInvoiceNumber';
  let expiresIn = 3_600;

  const grant = (headers: NodeJS.Dict<string | string[]>, body: Body, isRefresh: boolean) => {
    const { username, password } = headers;
    const isKnown =
      username === merchant.username &&
      password === merchant.password &&
      body['app_key'] === merchant.appKey &&
      body['app_secret'] === merchant.appSecret &&
      (!isRefresh || refreshTokens.has(body['refresh_token'] ?? ''));
    if (!isKnown) return { json: { statusCode: '9999', statusMessage: 'System Error' } };
    const [id_token, refresh_token] = [idOf('id'), idOf('refresh')];
    tokens.add(id_token);
    refreshTokens.add(refresh_token);
    return { json: { ...ok, id_token, token_type: 'Bearer', expires_in: expiresIn, refresh_token } };
  };

  const create = (body: Body) => {
    const { mode, payerReference = '', callbackURL = '', amount = '', currency = '', intent } = body;
    const invoice = body['merchantInvoiceNumber'] ?? '';
    if (!/^\d+\.\d{2}$/.test(amount) || Number(amount) < 1) return refused('2006', 'Invalid amount');
    if (currency !== 'BDT') return refused('2007', 'Invalid currency');
    if (mode !== '0011' || intent !== 'sale' || !callbackURL || !payerReference || !invoice)
      return refused('2065', 'Mandatory field missing');
    const paymentID = idOf('TR0011');
    payments.set(paymentID, {
      ...{ paymentID, amount, currency, invoice, callbackURL, payerReference, trxID: undefined, status: 'Initiated' },
      ...{ hasApproved: false, hasBeenExecuted: false, refusal: undefined, reports: {} },
    });
    const bkashURL = `${url()}/redirect/tokenized/?paymentID=${paymentID}&hash=x&mode=0011`;
    return { json: { ...ok, paymentID, bkashURL, callbackURL, amount, currency, transactionStatus: 'Initiated' } };
  };

  const shown = (payment: FakePayment, invoiceAs: string) => {
    const { paymentID, trxID, status: transactionStatus, amount, currency, payerReference } = payment;
    return {
      ...ok,
      paymentID,
      trxID,
      transactionStatus,
      amount,
      currency,
      payerReference,
      [invoiceAs]: payment.invoice,
      ...payment.reports,
    };
  };

  const execute = (payment: FakePayment | undefined) => {
    if (!payment) return refused('2002', 'Invalid Payment ID');
    if (!payment.hasApproved) return refused('2056', 'Invalid Payment State');
    if (payment.hasBeenExecuted) return refused('2117', 'Payment execution already been called before');
    if (payment.refusal) return refused(payment.refusal.code, payment.refusal.message);
    payment.hasBeenExecuted = true;
    payment.trxID = idOf('B');
    payment.status = 'Completed';
    return { json: shown(payment, invoiceName) };
  };

  const refund = ({ paymentId = '', trxId, refundAmount = '', sku, reason }: Body) => {
    const payment = payments.get(paymentId);
    const made = refunds.get(paymentId) ?? [];
    const fail = (externalCode: string, errorMessageEn: string) => ({
      status: 400,
      json: { internalCode: 'refund_failed', externalCode, errorMessageEn, errorMessageBn: '' },
    });
    if (!payment || payment.trxID !== trxId) return fail('2077', 'Invalid TrxID');
    if (!sku) return fail('2073', 'Invalid SKU');
    const before = made.reduce((sum, each) => sum + Number(each.refundAmount), 0);
    if (before + Number(refundAmount) > Number(payment.amount)) return fail('2072', 'Refund amount not valid');
    const one = {
      refundTrxId: idOf('R'),
      refundTransactionStatus: 'Completed',
      refundAmount,
      completedTime: dhakaTime(nowMs()),
    };
    refunds.set(paymentId, [...made, one]);
    refunded.add(sku);
    return { json: { originalTrxId: trxId, originalTrxAmount: payment.amount, ...one, currency: 'BDT', sku, reason } };
  };

  const admitted: Readonly<Record<string, (body: Body) => { status?: number; json: unknown }>> = {
    '/v1.2.0-beta/tokenized/checkout/create': create,
    '/v1.2.0-beta/tokenized/checkout/execute': ({ paymentID = '' }) => execute(payments.get(paymentID)),
    '/v1.2.0-beta/tokenized/checkout/payment/status': ({ paymentID = '' }) => {
      const payment = payments.get(paymentID);
      return payment ? { json: shown(payment, invoiceName) } : refused('2002', 'Invalid Payment ID');
    },
    '/v2/tokenized-checkout/refund/payment/transaction': refund,
    '/v2/tokenized-checkout/refund/payment/status': ({ paymentId = '', trxId }) => ({
      json: { originalTrxId: trxId, refundTransactions: refunds.get(paymentId) ?? [] },
    }),
  };

  const refusals = {
    '2079': refused('2079', 'Invalid app Token'),
    '401': { status: 401, json: { message: 'The incoming token has expired' } },
    '403': { status: 403, json: { message: 'Forbidden' } },
  } as const;
  let refusal: keyof typeof refusals = '2079';
  const answer = ({ headers, body: text }: Call, path: string): { status?: number; json: unknown } => {
    const body: Body = JSON.parse(text);
    if (path.endsWith('/token/grant')) return grant(headers, body, false);
    if (path.endsWith('/token/refresh')) return grant(headers, body, true);
    if (headers['x-app-key'] !== merchant.appKey || !tokens.has(headers.authorization ?? '')) return refusals[refusal];
    return admitted[path]?.(body) ?? { status: 404, json: { message: 'Missing Authentication Token' } };
  };

  const known = (paymentID: string): FakePayment => {
    const payment = payments.get(paymentID);
    if (!payment) throw new Error(`no payment ${paymentID}`);
    return payment;
  };

  return {
    /** Its answer to a request of this path. */
    answer,
    payments: (): readonly FakePayment[] => [...payments.values()],
    payment: known,
    paymentWith: (callbackURL: string): FakePayment | undefined =>
      [...payments.values()].find((each) => each.callbackURL === callbackURL),
    /** The payer approves with PIN and code. Returns the URL of the redirect. */
    approve: (paymentID: string): string => {
      known(paymentID).hasApproved = true;
      return `${known(paymentID).callbackURL}?paymentID=${paymentID}&status=success`;
    },
    refundsOf: (paymentID: string): readonly FakeRefund[] => refunds.get(paymentID) ?? [],
    hasRefunded: (sku: string): boolean => refunded.has(sku),
    addRefund: (paymentID: string, refund: FakeRefund): void => {
      refunds.set(paymentID, [...(refunds.get(paymentID) ?? []), refund]);
    },
    /** All tokens are worth nothing from now on. */
    endTokens: (how: keyof typeof refusals = '2079'): void => {
      refusal = how;
      tokens.clear();
    },
    endRefreshTokens: (): void => refreshTokens.clear(),
    grantFor: (seconds: number): void => {
      expiresIn = seconds;
    },
    nameInvoice: (name: 'merchantInvoice' | 'merchantInvoiceNumber'): void => {
      invoiceName = name;
    },
  };
};

/** A server that answers as bKash does. */
export const startBkash = async (merchant: Merchant) => {
  const gateway = bkashGateway(
    merchant,
    realWorld(() => server.url),
  );
  const server = await startGatewayServer(gateway.answer);
  return { ...gateway, ...server };
};

export type FakeBkash = Awaited<ReturnType<typeof startBkash>>;
