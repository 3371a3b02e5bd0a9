import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { workPayments } from '../functions/checkout/work-payments/handler.ts';
import { checkoutAddresses } from '../shared/checkout/addresses.ts';
import { beginPaymentOf } from '../shared/checkout/begin-payment.ts';
import { orderNumberOf } from '../shared/checkout/order-number.ts';
import type { FoundPayment } from '../shared/checkout/payment.ts';
import type { PaymentJob } from '../shared/checkout/payment-job.ts';
import { paymentResolver } from '../shared/checkout/resolve.ts';
import { refundWorker } from '../shared/checkout/work-refund.ts';
import type { LambdaTime } from '../shared/http/cut-off.ts';
import { newId } from '../shared/kit/id.ts';
import { accountAdapters } from '../shared/providers/gateways/account-adapters.ts';
import { startBkash } from '../shared/providers/gateways/bkash-fixture.ts';
import { startSslcommerz } from '../shared/providers/gateways/sslcommerz-fixture.ts';
import { openSession } from './checkout-fixture.ts';
import { contextWith } from './lambda-context.ts';
import { startList } from './webhook-calls.ts';
import type { World } from './world.ts';

export const credentials = {
  sslcommerz: { storeId: 'shop67890', storePassword: 'shop67890@ssl' },
  bkash: { username: 'shop', password: 'shop@12345', appKey: 'app-key', appSecret: 'app-secret' },
} as const;

type Code = keyof typeof credentials;

/** A live-mode merchant with the two gateways as local fake servers, and the payment worker. */
export const startRealCheckout = async (world: World) => {
  const [sslcommerz, bkash] = await Promise.all([
    startSslcommerz(credentials.sslcommerz),
    startBkash(credentials.bkash),
  ]);
  const { ref } = await world.newAccount();
  const wishes = (['sslcommerz', 'bkash'] as const).map((gatewayCode, sortOrder) => ({
    ...{ gatewayCode, sortOrder, displayLabel: gatewayCode, livemode: true, enabled: true },
    credentials: credentials[gatewayCode],
  }));
  const methods = await world.methods.replace(ref, wishes, newId(Date.now()));
  const urls = { sslcommerz: sslcommerz.url, bkash: bkash.url };
  const newFindAdapter = () => accountAdapters({ methods: world.methods, tokens: world.gatewayTokens, urls });
  const findAdapter = newFindAdapter();
  const addresses = checkoutAddresses('https://pay.example');
  const resolver = paymentResolver({ ...world, findAdapter, addresses });
  const paymentsQueue = startList<PaymentJob>();
  /** Jobs that the worker queues for itself. */
  const laterQueue = startList<PaymentJob>();
  const workRefund = refundWorker({ refunds: world.refunds, findAdapter, addresses });
  /** The worker's clock is this far ahead. */
  const time = { laterSeconds: 0 };
  const clock = () => Date.now() + time.laterSeconds * 1_000;
  const worker = workPayments({
    ...{ ...world, findAdapter, addresses, resolver, paymentsQueue: laterQueue },
    ...{ simulatorSeconds: 60, lifetimeSeconds: 86_400, workRefund, clock },
  });

  /** Runs the queued jobs. */
  const work = (): Promise<void> => worker(paymentsQueue.jobs.splice(0), (_, run) => run());

  const now = async ({ session, payment }: FoundPayment): Promise<FoundPayment> => {
    const found = await world.payments.find(session.id, payment.id);
    if (!found) throw new Error('the payment is gone');
    return found;
  };

  return {
    ...{
      account: ref,
      methods,
      findAdapter,
      addresses,
      resolver,
      sslcommerz,
      bkash,
      paymentsQueue,
      laterQueue,
      work,
      now,
      time,
      clock,
    },

    /** As in another function, with empty caches. */
    newFindAdapter,

    /** A payment that the gateway has opened; the payer is on its page. */
    begin: async (gatewayCode: Code, amountMinor = 600_000): Promise<FoundPayment> => {
      const session = openSession(ref.id, { livemode: true, amountMinor });
      await world.sessions.create(ref, session, { idempotencyKey: undefined, nowMs: Date.now() });
      const acceptanceMethodId = methods.find((each) => each.gatewayCode === gatewayCode)?.id ?? '';
      const wish = { acceptanceMethodId, paymentId: newId(Date.now()) };
      const begun = await beginPaymentOf({ ...world, resolver, clock: Date.now })({ account: ref, session }, wish);
      await paymentsQueue.send([
        { kind: 'open', account: ref.id, session: session.id, payment: begun.payment.id, attempt: 1 },
      ]);
      await work();
      return now(begun);
    },

    tranIdOf: ({ payment }: FoundPayment): string => orderNumberOf(payment.id),
    referenceOf: ({ payment }: FoundPayment): string => payment.reference ?? '',

    close: async (): Promise<void> => {
      await Promise.all([sslcommerz.close(), bkash.close()]);
    },
  };
};

export type RealCheckout = Awaited<ReturnType<typeof startRealCheckout>>;

interface Visit {
  readonly method?: 'GET' | 'POST';
  readonly path: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Calls a handler as API Gateway does for a browser or a gateway's server: form bodies are in base64. */
export const visitAs = async (
  handler: (event: APIGatewayProxyEventV2, context: LambdaTime) => Promise<APIGatewayProxyStructuredResultV2>,
  { method = 'POST', path, query, headers = {}, body }: Visit,
) => {
  const event: unknown = {
    version: '2.0',
    routeKey: `${method} /`,
    rawQueryString: String(new URLSearchParams(query)),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    requestContext: { requestId: 'test-request', http: { method, sourceIp: '203.0.113.7' } },
    pathParameters: path,
    ...(query && { queryStringParameters: query }),
    ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined,
  };
  const answer = await handler(event as APIGatewayProxyEventV2, contextWith());
  return { status: answer.statusCode, headers: answer.headers ?? {}, cookies: answer.cookies, text: answer.body ?? '' };
};
