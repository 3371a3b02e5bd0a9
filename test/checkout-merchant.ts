import { createHmac } from 'node:crypto';
import * as checkout from '../shared/client/checkout.ts';
import { openClient } from '../shared/client/client.ts';
import { type Received, startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { checkedFetch, request, type SharedStack } from './test-stack.ts';

// A separate merchant on a started stack, with the calls of merchants, payers and operators. Unlike checkout-calls.ts, all calls use HTTP.

type Fields = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

const simulators = ['sim_card', 'sim_wallet', 'sim_bank'];

/** Payment methods for test keys, as an operator sets them. */
export const simulatedMethods = simulators.map((gatewayCode, n) => ({
  gatewayCode,
  displayLabel: `Method ${n}`,
  livemode: false,
  enabled: true,
  sortOrder: n,
}));

const answersWith = (statuses: readonly number[]) => {
  const answers = [...statuses];
  return () => (answers.length > 1 ? answers.shift() : answers[0]) ?? 204;
};

interface Identity {
  readonly id: string;
  readonly key: string;
  readonly methodIds: readonly string[];
}

/** A new account with a test key and three payment methods. */
export const newMerchant = async (stack: SharedStack, settings: object = {}) => {
  const id = String((await stack.admin('POST', '/accounts', { name: 'Dhaka Books' })).body.data.id);
  await stack.admin('PATCH', `/accounts/${id}`, settings);
  const { newKey, setMethods } = merchantOn(stack, { id, key: '', methodIds: [] });
  const [key, methodIds] = await Promise.all([newKey(), setMethods(simulatedMethods)]);
  return merchantOn(stack, { id, key, methodIds });
};

/** A merchant that exists already, as after a restart. */
export const merchantOn = (stack: SharedStack, { id, key, methodIds }: Identity) => {
  const { checkoutBaseUrl } = stack.file;
  const newKey = async (wishes: Fields = {}): Promise<string> => {
    const fields = { kind: 'secret', livemode: false, name: 'test', ...wishes };
    return (await stack.admin('POST', `/accounts/${id}/checkout-keys`, fields)).body.data.key;
  };
  const setMethods = async (methods: readonly object[]): Promise<string[]> => {
    const { body } = await stack.admin('PUT', `/accounts/${id}/checkout-methods`, methods);
    return body.data.map((method: Fields) => String(method['acceptanceMethodId']));
  };
  const publicCall = (method: string, path: string, body?: unknown) =>
    request(`${checkoutBaseUrl}/v1/public/checkout-sessions/${path}`, method, {}, body);

  const create = (body: unknown, headers: Headers = {}) =>
    request(`${checkoutBaseUrl}/v1/checkout-sessions`, 'POST', { authorization: `Bearer ${key}`, ...headers }, body);

  const pay = (sessionId: string, acceptanceMethodId: unknown = methodIds[0]) =>
    publicCall('POST', `${sessionId}/payments`, { acceptanceMethodId });

  const newSession = async (amountMinor: number, wishes: Fields = {}): Promise<string> =>
    (await create({ amountMinor, currency: 'BDT', ...wishes })).body.data.id;

  return {
    /** What the merchant's server calls with its key. */
    client: openClient<checkout.Operations>({
      baseUrl: `${checkoutBaseUrl}/v1`,
      key,
      replayable: checkout.replayable,
      fetch: checkedFetch,
    }),
    ...{ id, key, methodIds, newKey, setMethods, create, pay, newSession },

    /** The status poll (checkout specification, "GET /v1/public/checkout-sessions/{id}/status"). It also starts a check at the gateway. */
    status: async (sessionId: string): Promise<Fields> => (await publicCall('GET', `${sessionId}/status`)).body.data,

    /** The same from the page's data, which starts no check. */
    view: async (sessionId: string): Promise<Fields> => {
      const { status, paymentStatus } = (await publicCall('GET', sessionId)).body.data;
      return { status, paymentStatus };
    },

    /** A session and its first payment. */
    paid: async (amountMinor: number, wishes: Fields = {}) => {
      const sessionId = await newSession(amountMinor, wishes);
      return { sessionId, paymentId: String((await pay(sessionId)).body.data.paymentId) };
    },

    setChaos: (sessionId: string, chaos: string) =>
      stack.admin('PUT', `/checkout-sessions/${sessionId}/chaos`, { chaos }),

    /** The operator's report, of at most 100 payments. */
    report: async () => (await stack.admin('GET', `/accounts/${id}/payments?limit=100`)).body,

    refund: (paymentId: string, body: object = {}) => stack.admin('POST', `/payments/${paymentId}/refunds`, body),
    refunds: async (paymentId: string): Promise<Fields[]> =>
      (await stack.admin('GET', `/payments/${paymentId}/refunds`)).body.data,

    /** A receiver that answers with these statuses in order and repeats the last, and its subscription to all events. 0: it does not answer. */
    listen: async (statuses: readonly number[] = [204], wishes: object = {}) => {
      const next = answersWith(statuses);
      const receiver = await startReceiver((response) => {
        const status = next();
        return status === 0 ? response.destroy() : response.writeHead(status).end();
      });
      const path = `/accounts/${id}/checkout-webhooks`;
      const url = `http://localhost:${receiver.port}/hooks`;
      const events = ['payment.succeeded', 'payment.failed', 'refund.succeeded', 'refund.failed'];
      const { body } = await stack.admin('POST', path, { url, events, ...wishes });
      const webhookId = String(body.data.id);
      return {
        ...{ receiver, webhookId, created: body.data, secret: String(body.data.secret) },
        received: receiver.received,
        receivedEvents: () => receiver.received.map(({ body: text }) => JSON.parse(text)),
        deliveries: async () => (await stack.admin('GET', `${path}/${webhookId}/deliveries?limit=100`)).body.data,
        resend: (deliveryId: string) => stack.admin('POST', `${path}/${webhookId}/deliveries/${deliveryId}/resend`),
      };
    },
  };
};

export type Merchant = ReturnType<typeof merchantOn>;

/** Whether a request has a valid signature (checkout specification, "Request headers"). */
export const isSigned = ({ headers, body }: Received, secret: string): boolean =>
  headers['x-checkout-signature'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
