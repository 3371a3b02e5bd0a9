import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beginPaymentByForm } from '../functions/checkout/begin-payment-by-form/handler.ts';
import { cancelPayment } from '../functions/checkout/cancel-payment/handler.ts';
import { showCheckout } from '../functions/checkout/show-checkout/handler.ts';
import { showPayment } from '../functions/checkout/show-payment/handler.ts';
import { showResult } from '../functions/checkout/show-result/handler.ts';
import { troublePage } from '../shared/checkout/page/trouble.ts';
import { checkoutPage } from '../shared/http/checkout-page.ts';
import { keylessSurface } from '../shared/http/keyless-surface.ts';
import type { Clock } from '../shared/kit/time.ts';
import { type CheckoutCalls, checkoutCalls } from './checkout-calls.ts';
import { contextWith } from './lambda-context.ts';
import type { World } from './world.ts';

/** As text or bytes: as they are sent. */
type Sent = Readonly<Record<string, string>> | string | Buffer;

export interface PageCall {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Sent;
  readonly method?: 'GET' | 'HEAD';
  /** Sent with POST. */
  readonly form?: Sent;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

export interface ShownPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly text: string;
  /** The text of its only heading. */
  readonly heading: string;
}

/** The headers of a browser that opens a page. */
export const asPerson = {
  'accept-language': 'en',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-user': '?1',
} as const;

const sentBytes = (sent: Sent): Buffer =>
  Buffer.isBuffer(sent) ? sent : Buffer.from(typeof sent === 'string' ? sent : String(new URLSearchParams(sent)));

/** Visits a page's Lambda handler as API Gateway would. */
export const visitPage = async (
  handler: ReturnType<typeof checkoutPage>,
  { path = {}, query, method = 'GET', form, headers = {}, cookies = [] }: PageCall = {},
): Promise<ShownPage> => {
  const http = { method: form ? 'POST' : method, sourceIp: '203.0.113.7' };
  const event = {
    routeKey: `${http.method} /checkout`,
    headers,
    cookies,
    pathParameters: path,
    requestContext: { requestId: 'test-request', http },
    isBase64Encoded: form !== undefined,
    rawQueryString: String(sentBytes(query ?? '')),
    ...(form && { body: sentBytes(form).toString('base64') }),
  };
  const answer = await handler(event as unknown as APIGatewayProxyEventV2, contextWith());
  const text = answer.body ?? '';
  return {
    status: answer.statusCode ?? 0,
    headers: (answer.headers ?? {}) as Record<string, string>,
    cookies: answer.cookies ?? [],
    text,
    heading: (/<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? '').replace(/<[^>]+>/g, ''),
  };
};

/** The checkout's pages and the API calls that they need. Payers are not rate-limited. */
export const pageCalls = (world: World, clock: Clock = Date.now) => {
  const calls: CheckoutCalls = checkoutCalls(world, clock);
  const needs = { ...world, resolver: calls.resolver, paymentsQueue: calls.paymentsQueue, clock };
  const shownBy = (show: Parameters<typeof checkoutPage>[0]) =>
    checkoutPage(show, { payers: keylessSurface, trouble: troublePage }, clock);
  const english = { 'accept-language': 'en' };

  return {
    ...calls,

    /** A new session: its id, and the ids of the methods to pay with. */
    open: async (wishes: object = {}, labels: readonly string[] = ['Card', 'Wallet']) => {
      const { ref, key, methodIds } = await calls.newMerchant({
        settings: { name: 'Dhaka Books' },
        methods: labels.map((displayLabel) => ({ displayLabel })),
      });
      const { body } = await calls.create(key, { description: 'Order 1042', ...wishes });
      return { ref, id: String(body.data.id), methodIds };
    },

    show: (id: string, more: PageCall = {}) =>
      visitPage(shownBy(showCheckout(needs)), { path: { id }, headers: english, ...more }),

    tap: (id: string, form: Sent) =>
      visitPage(shownBy(beginPaymentByForm(needs)), { path: { id }, headers: english, form }),

    wait: (id: string, paymentId: string, query: Readonly<Record<string, string>> = {}) =>
      visitPage(shownBy(showPayment(needs)), { path: { id, paymentId }, headers: english, query }),

    cancel: (id: string, paymentId: string) =>
      visitPage(shownBy(cancelPayment(needs)), { path: { id, paymentId }, headers: english, form: {} }),

    result: (id: string) => visitPage(shownBy(showResult(needs)), { path: { id }, headers: english }),

    /** All payments of a session. */
    attempts: async (id: string) => {
      const found = await world.sessions.find(id);
      return found ? world.payments.listOfSession(found) : [];
    },
  };
};

export type PageCalls = ReturnType<typeof pageCalls>;

/** Seconds until a page checks its payment again, without scripts as with them. */
export const checkSecondsOf = ({ text }: ShownPage): number | undefined => {
  const [reload, check] = [
    /<noscript><meta http-equiv="refresh" content="(\d+)"><\/noscript>/.exec(text)?.[1],
    /<main data-check-seconds="(\d+)">/.exec(text)?.[1],
  ];
  if (reload !== check) throw new Error('a page reloads at other times than it is checked by its script');
  return check === undefined ? undefined : Number(check);
};

/** The payment whose waiting page a page redirects to. */
export const paymentIn = ({ headers }: ShownPage): string =>
  /\/payments\/([0-9a-f-]{36})$/.exec(headers['Location'] ?? '')?.[1] ?? '';
