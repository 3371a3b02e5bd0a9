import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { PaymentOrder, RefundOrder } from '../../checkout/order.ts';
import { newId } from '../../kit/id.ts';
import { type Received, startReceiver } from '../webhook/receiver-fixture.ts';
import { gatewayHttp } from './gateway-http.ts';

/** Faults of a call: before or after the gateway executed it. */
export type Trouble = 'silence' | 'silence afterwards' | 'cut' | 'cut afterwards' | '503' | 'page' | 'message';

interface Answer {
  readonly status?: number;
  readonly json: unknown;
}

const json = (response: ServerResponse, { status = 200, json: value }: Answer) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

const endings: Readonly<Record<Trouble, (response: ServerResponse) => unknown>> = {
  silence: () => undefined,
  'silence afterwards': () => undefined,
  cut: (response) => response.destroy(),
  'cut afterwards': (response) => response.destroy(),
  '503': (response) => response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Service Unavailable</h1>'),
  page: (response) => response.end('<html>We are undergoing maintenance.</html>'),
  message: (response) => json(response, { json: { message: 'Endpoint request timed out' } }),
};

/** Time, chance and address of a gateway. */
export interface GatewayWorld {
  url(): string;
  nowMs(): number;
  idOf(prefix: string): string;
}

export const realWorld = (url: () => string): GatewayWorld => ({
  url,
  nowMs: Date.now,
  idOf: (prefix) => `${prefix}${randomBytes(6).toString('hex').toUpperCase()}`,
});

/** A gateway's web server with faults per path and call. */
export const startGatewayServer = async (answer: (request: Received, path: string) => Answer) => {
  const troubles: { readonly path: string; readonly trouble: Trouble }[] = [];
  const receiver = await startReceiver((response, request) => {
    const path = new URL(request.url ?? '', 'http://gateway').pathname;
    const n = troubles.findIndex((each) => path.endsWith(each.path));
    const [next] = n < 0 ? [] : troubles.splice(n, 1);
    if (!next || next.trouble.endsWith('afterwards')) {
      const given = answer(request, path);
      if (!next) return json(response, given);
    }
    return endings[next.trouble](response);
  });
  return {
    url: `http://127.0.0.1:${receiver.port}`,
    received: receiver.received,
    callsOf: (path: string) => receiver.received.filter(({ url = '' }) => (url.split('?')[0] ?? '').endsWith(path)),
    /** The next call of this path meets this. */
    trouble: (path: string, trouble: Trouble): void => {
      troubles.push({ path, trouble });
    },
    /** Faults that no call has met, because its caller gave up before, do not wait for another test. */
    endTroubles: (): void => {
      troubles.length = 0;
    },
    close: receiver.close,
  };
};

/** For calls that get no answer: short enough to be waited for. */
export const impatient = gatewayHttp({ callMs: 500 });

export const hashOf = (algorithm: 'md5' | 'sha256', text: string): string =>
  createHash(algorithm).update(text).digest('hex');

export const orderOver = (amountMinor: number, wishes: Partial<PaymentOrder> = {}): PaymentOrder => ({
  accountId: newId(Date.now()),
  paymentId: newId(Date.now()),
  sessionId: newId(Date.now()),
  amountMinor,
  currency: 'BDT',
  description: 'Two tickets',
  customer: {},
  createdMs: Date.now(),
  returnUrl: 'https://api.example.com/checkout/return/token',
  notificationUrl: 'https://api.example.com/callbacks/payments/gateway/id',
  reference: undefined,
  transactionId: undefined,
  confirmationAttempted: false,
  chaos: undefined,
  ...wishes,
});

export const refundOver = (amountMinor: number, wishes: Partial<RefundOrder> = {}): RefundOrder => ({
  refundId: newId(Date.now()),
  amountMinor,
  reason: undefined,
  createdMs: Date.now(),
  wasRequested: false,
  reference: undefined,
  otherReferences: [],
  ...wishes,
});
