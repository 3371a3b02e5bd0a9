import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenLocally } from './listen-locally.ts';
import type { ListenedApi } from './listened-api.ts';

/** How each delivery is answered: with a status, never, or by a redirect to the same path. */
export type ReceiverAnswer = { readonly status: number } | 'hang' | 'redirect';

/** @returns undefined for a word that is none */
export const answerIn = (word: string): ReceiverAnswer | undefined => {
  if (word === 'hang' || word === 'redirect') return word;
  const status = Number(word);
  return /^[2-5]\d\d$/.test(word) ? { status } : undefined;
};

export interface Delivery {
  readonly at: string;
  readonly event: string;
  readonly sequence: string;
  /** Whether our signature is that of the secret; undefined for a test delivery, which has none. */
  readonly isVerified: boolean | undefined;
  readonly answered: string;
  readonly body: string;
}

interface ReceiverOptions {
  readonly api: Pick<ListenedApi, 'eventHeader' | 'signatureHeader' | 'isVerified'>;
  readonly port: number;
  /** Known once the subscription exists. */
  secret(): string;
  answer(): ReceiverAnswer;
  /** Receives the same request; its answer is the answer. */
  readonly forwardTo?: string | undefined;
  onDelivery(delivery: Delivery): void;
  nowMs(): number;
}

const headerIn = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? '');

const forwarded = async (to: string, { headers }: IncomingMessage, body: string): Promise<number> => {
  const { host: _, connection: __, 'content-length': ___, ...others } = headers;
  const sent = Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]);
  // A redirect is a failure: deliveries follow none.
  try {
    const answer = await fetch(to, { method: 'POST', headers: sent, body, redirect: 'manual' });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 502;
  }
};

/** A webhook receiver on this machine that shows what it gets. */
export const startReceiver = async ({ api, port, secret, answer, forwardTo, onDelivery, nowMs }: ReceiverOptions) => {
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    const reply = forwardTo === undefined ? answer() : { status: await forwarded(forwardTo, request, body) };
    const header = headerIn(request, api.signatureHeader);
    onDelivery({
      at: new Date(nowMs()).toISOString(),
      event: headerIn(request, api.eventHeader),
      sequence: headerIn(request, 'x-service-sequence'),
      isVerified: header === '' ? undefined : api.isVerified(header, secret(), body),
      answered: typeof reply === 'string' ? reply : String(reply.status),
      body,
    });
    if (reply === 'hang') return;
    if (reply === 'redirect') response.writeHead(302, { location: request.url ?? '/' });
    else response.writeHead(reply.status);
    response.end();
  });
  const { url, close } = await listenLocally(server, port);
  return { url: `${url}/`, close };
};
