import { expireSessionContract } from '../functions/merchants/expire-session/contract.ts';
import { expireSession } from '../functions/merchants/expire-session/handler.ts';
import { getPaymentContract } from '../functions/merchants/get-payment/contract.ts';
import { getPayment } from '../functions/merchants/get-payment/handler.ts';
import { getRefundContract } from '../functions/merchants/get-refund/contract.ts';
import { getRefund } from '../functions/merchants/get-refund/handler.ts';
import { listPaymentsContract } from '../functions/merchants/list-payments/contract.ts';
import { listPayments } from '../functions/merchants/list-payments/handler.ts';
import { listRefundsContract } from '../functions/merchants/list-refunds/contract.ts';
import { listRefunds } from '../functions/merchants/list-refunds/handler.ts';
import { listSessionsContract } from '../functions/merchants/list-sessions/contract.ts';
import { listSessions } from '../functions/merchants/list-sessions/handler.ts';
import { refundPaymentContract } from '../functions/merchants/refund-payment/contract.ts';
import { refundPayment } from '../functions/merchants/refund-payment/handler.ts';
import { retrieveSessionContract } from '../functions/merchants/retrieve-session/contract.ts';
import { retrieveSession } from '../functions/merchants/retrieve-session/handler.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import type { Clock } from '../shared/kit/time.ts';
import { call } from './call.ts';
import { checkoutCalls } from './checkout-calls.ts';
import type { World } from './world.ts';

type Query = Readonly<Record<string, string>>;

/** The calls of a merchant's server with its secret key. */
export const merchantCalls = (world: World, clock: Clock = Date.now) => {
  const { addresses, resolver } = checkoutCalls(world, clock);
  const needs = { ...world, addresses, resolver, clock };
  const callers = world.checkoutCallers('secret');
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const handlers = {
    getSession: endpoint(retrieveSessionContract, retrieveSession(needs), callers, clock),
    listSessions: endpoint(listSessionsContract, listSessions(needs), callers, clock),
    expire: endpoint(expireSessionContract, expireSession(needs), callers, clock),
    getPayment: endpoint(getPaymentContract, getPayment(needs), callers, clock),
    listPayments: endpoint(listPaymentsContract, listPayments(needs), callers, clock),
    refund: endpoint(refundPaymentContract, refundPayment(needs), callers, clock),
    getRefund: endpoint(getRefundContract, getRefund(needs), callers, clock),
    listRefunds: endpoint(listRefundsContract, listRefunds(needs), callers, clock),
  };
  const onId = (handler: Parameters<typeof call>[0]) => (key: string, id: string) =>
    call(handler, { headers: bearer(key), path: { id } });
  const asList =
    (handler: Parameters<typeof call>[0]) =>
    (key: string, query: Query = {}) =>
      call(handler, { headers: bearer(key), query });

  return {
    getSession: onId(handlers.getSession),
    expire: onId(handlers.expire),
    getPayment: onId(handlers.getPayment),
    getRefund: onId(handlers.getRefund),
    listSessions: asList(handlers.listSessions),
    listPayments: asList(handlers.listPayments),
    listRefunds: asList(handlers.listRefunds),

    refund: (key: string, id: string, body: unknown = {}, headers: Query = {}) =>
      call(handlers.refund, { headers: { ...bearer(key), ...headers }, path: { id }, body }),
  };
};
