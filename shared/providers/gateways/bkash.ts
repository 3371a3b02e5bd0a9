import type { GatewayAdapter, Opening } from '../../checkout/gateway-adapter.ts';
import type { GatewayAnswer } from '../../checkout/gateway-answer.ts';
import type { PaymentOrder, RefundOrder } from '../../checkout/order.ts';
import { orderNumberOf } from '../../checkout/order-number.ts';
import { textAt } from '../../kit/json-pointer.ts';
import { log } from '../../kit/log.ts';
import type { Clock } from '../../kit/time.ts';
import {
  codeOf,
  done,
  executionAnswer,
  isTokenRefused,
  paymentAnswer,
  reasonOf,
  refundIn,
  refundRequestAnswer,
  unclear,
} from './bkash-answers.ts';
import { type BkashCredentials, type BkashTokenStore, bkashTokens } from './bkash-token.ts';
import { decimalOf } from './decimal-amount.ts';
import { type CallGateway, type GatewayHttp, type GatewayReply, gatewayHttp, jsonCall } from './gateway-http.ts';
import { payerAddressIn } from './payer-address.ts';
import { shortText } from './short-text.ts';
import { unknownAnswer } from './unknown-answer.ts';

interface BkashOptions {
  readonly livemode: boolean;
  readonly tokens: BkashTokenStore;
  /** Instead of the gateway's own host. */
  readonly baseUrl?: string | undefined;
  readonly http?: GatewayHttp;
  readonly clock?: Clock;
}

const hosts = { live: 'https://tokenized.pay.bka.sh', test: 'https://tokenized.sandbox.bka.sh' } as const;

/** The browser's `status` when the payer did not approve. */
const givenUp: Readonly<Record<string, GatewayAnswer['state']>> = { cancel: 'cancelled', failure: 'failed' };

/** A payer's wallet, so that it need not be typed again, when the phone number given is that of one. */
const walletOf = (phone: string | undefined): string | undefined => /^\+?88(01\d{9})$/.exec(phone ?? '')?.[1];

/**
 * bKash Tokenized Checkout by URL, v1.2.0-beta, with refunds of v2 (developer.bka.sh). The payer approves at bKash and comes back; money moves
 * when we execute, and only `Completed` is paid. What is not certain is asked for.
 */
export const bkashAdapter = (
  credentials: BkashCredentials,
  {
    livemode,
    tokens: store,
    baseUrl = hosts[livemode ? 'live' : 'test'],
    http = gatewayHttp(),
    clock = Date.now,
  }: BkashOptions,
): GatewayAdapter => {
  const checkout = `${baseUrl}/v1.2.0-beta/tokenized/checkout`;
  const refunds = `${baseUrl}/v2/tokenized-checkout/refund/payment`;
  const tokens = bkashTokens(credentials, { tokensUrl: `${checkout}/token`, store, clock });

  /** A call that was refused for its token has done nothing there, so it is made again, once. */
  const ask = async (call: CallGateway, url: string, body: unknown): Promise<GatewayReply> => {
    const send = (idToken: string) =>
      call(jsonCall(url, body, { Authorization: idToken, 'X-APP-Key': credentials.appKey }));
    const token = await tokens.current(call);
    if (!token) return { kind: 'not_reached' };
    const reply = await send(token.idToken);
    const other = isTokenRefused(reply) ? await tokens.instead(call, token) : undefined;
    return other ? send(other.idToken) : reply;
  };

  const query = async (call: CallGateway, { reference }: PaymentOrder): Promise<GatewayAnswer> =>
    reference
      ? paymentAnswer(await ask(call, `${checkout}/payment/status`, { paymentID: reference }), reference)
      : unknownAnswer('no_reference');

  const execute = async (call: CallGateway, order: PaymentOrder): Promise<GatewayAnswer> => {
    const { reference } = order;
    if (!reference) return unknownAnswer('no_reference');
    const reply = await ask(call, `${checkout}/execute`, { paymentID: reference });
    const certain = executionAnswer(reply, reference);
    if (certain) return certain;
    const answer = await query(call, order);
    if (answer.state !== 'pending') return answer.state === 'unknown' ? unclear(reply) : answer;
    const code = reply.kind === 'answered' ? codeOf(reply.document) : undefined;
    log('info', 'bKash did not execute a payment', { paymentId: order.paymentId, code });
    // An execution may yet go through unless the payer has not agreed, so `Initiated` says nothing so soon. Nor does 2056 where an earlier one was lost.
    const isUntouched = code === '2056' && !order.confirmationAttempted;
    return answer.isUndecided || reply.kind === 'not_reached' || isUntouched ? answer : unclear(reply);
  };

  const findRefund = async (
    call: CallGateway,
    { reference, transactionId }: PaymentOrder,
    refund: RefundOrder,
  ): Promise<GatewayAnswer> =>
    refundIn(await ask(call, `${refunds}/status`, { paymentId: reference, trxId: transactionId }), refund);

  return {
    create: async (order): Promise<Opening> => {
      const invoice = orderNumberOf(order.paymentId);
      const reply = await ask(http(), `${checkout}/create`, {
        mode: '0011',
        payerReference: walletOf(order.customer.phone) ?? invoice,
        callbackURL: order.returnUrl,
        amount: decimalOf(order.amountMinor),
        currency: order.currency,
        intent: 'sale',
        merchantInvoiceNumber: invoice,
      });
      if (reply.kind !== 'answered') return { kind: 'unavailable' };
      const code = codeOf(reply.document);
      const redirectUrl = payerAddressIn(textAt(reply.document, '/bkashURL') ?? '', baseUrl);
      const reference = textAt(reply.document, '/paymentID') ?? '';
      if (code === done && reference !== '' && redirectUrl !== undefined)
        return { kind: 'opened', redirectUrl, reference };
      if (code === undefined || code === done) return { kind: 'unavailable' };
      return { kind: 'refused', code, reason: reasonOf(reply.document) ?? '' };
    },

    confirm: async (order, { status = '' }) => {
      const call = http();
      const state = Object.hasOwn(givenUp, status) ? givenUp[status] : undefined;
      if (state === undefined) return execute(call, order);
      const answer = await query(call, order);
      const reason = 'bKash sent the payer back without a payment.';
      const isUntouched = answer.state === 'pending' && !answer.isUndecided && !order.confirmationAttempted;
      return isUntouched ? { state, code: status, reason } : answer;
    },

    query: (order) => query(http(), order),

    /** To be asked for again only where no such refund is listed: bKash refunds as often as it is asked. */
    refund: async (order, refund) => {
      const call = http();
      const reply = await ask(call, `${refunds}/transaction`, {
        paymentId: order.reference,
        trxId: order.transactionId,
        refundAmount: decimalOf(refund.amountMinor),
        sku: orderNumberOf(refund.refundId),
        reason: shortText(refund.reason ?? '', 255) || 'Refund',
      });
      const certain = refundRequestAnswer(reply);
      if (certain && certain.state !== 'failed') return certain;
      if (reply.kind === 'not_reached') return unclear(reply);
      // A repeated request is refused where the first one went through, and one without an answer may yet go through.
      const answer = await findRefund(call, order, refund);
      if (answer.state !== 'unknown') return answer;
      return (answer.isUnlisted && certain) || unclear(reply);
    },

    queryRefund: (order, refund) => findRefund(http(), order, refund),

    /** This product of bKash sends no notifications: the payer's browser returns with the status. */
    parseNotification: () => undefined,
  };
};
