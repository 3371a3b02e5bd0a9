import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { urlToHttpOptions } from 'node:url';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Goes over the wire as it is. */
  readonly body: string;
}

export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** There is more of the body than anyone reads. */
  readonly isCut: boolean;
}

/** Why an answer is missing or not whole. */
export interface HttpFailure {
  /** `refused`: it was never to be sent. `unreached`: no connection came about. `broken`: there was one, so the request may have been read. */
  readonly kind: 'refused' | 'unreached' | 'broken';
  /** Words that tell nothing of the network that we are in. */
  readonly message: string;
}

/** What came of a request: the answer, or why there is none, or both when it broke off after its head. */
export type Exchange =
  | { readonly answer: HttpAnswer; readonly failure: undefined }
  | { readonly answer: HttpAnswer; readonly failure: HttpFailure }
  | { readonly answer: undefined; readonly failure: HttpFailure };

/** Never throws for what the network or the other side does. */
export type SendRequest = (request: HttpRequest) => Promise<Exchange>;

export interface PinnedRequestOptions {
  /** Which addresses may be called. One that may not, among those of a name, refuses the name. */
  isAllowed(address: string): boolean;
  /** All addresses of a name. Asked once for each request; what it gives is what is connected to. */
  resolve?(name: string): Promise<readonly LookupAddress[]>;
  /** From the look-up of the name to the last byte of the answer. */
  readonly timeoutMs?: number;
}

/** What comes after is not read. */
const mostBytes = 64 * 1_024;

class Refused extends Error {}

class NoAddress extends Error {
  readonly code = 'NO_ADDRESS';
}

const resolveAll = (name: string) => lookup(name, { all: true });

/**
 * Calls addresses that anyone may have named. The url is parsed once and its name looked up once; every address is checked, and only those
 * very addresses are connected to, whatever the name leads to by then. Redirects, proxies and kept connections play no part.
 */
export const pinnedRequest = ({
  isAllowed,
  resolve = resolveAll,
  timeoutMs = 10_000,
}: PinnedRequestOptions): SendRequest => {
  /** Node asks no look-up for an address in the url itself, so that one is checked like any other, here. */
  const addressesOf = async (host: string): Promise<LookupAddress[]> => {
    const family = isIP(host);
    const addresses = family > 0 ? [{ address: host, family }] : [...(await resolve(host))];
    if (addresses.length === 0) throw new NoAddress();
    if (!addresses.every(({ address }) => isAllowed(address)))
      throw new Refused('The target is not a public address, so no request was sent.');
    return addresses;
  };

  return async (request) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const chunks: Buffer[] = [];
    let isConnected = false;
    let head: http.IncomingMessage | undefined;
    try {
      const target = urlToHttpOptions(new URL(request.url));
      const addresses = await Promise.race([addressesOf(String(target.hostname)), ended(signal)]);
      const onConnected = () => {
        isConnected = true;
      };
      head = await begin(request, { ...target, ...pinnedTo(addresses), signal }, onConnected);
      await readInto(chunks, head);
      return { answer: answerOf(head, chunks), failure: undefined };
    } catch (thrown) {
      const message = signal.aborted ? `No complete response within ${timeoutMs / 1_000} seconds.` : reasonOf(thrown);
      const kind = isConnected ? 'broken' : neverToBeSent(thrown) ? 'refused' : 'unreached';
      const failure = { kind, message } as const;
      return head ? { answer: answerOf(head, chunks), failure } : { answer: undefined, failure };
    }
  };
};

const pinnedTo = (addresses: LookupAddress[]): https.RequestOptions => ({
  agent: false,
  lookup: (_name, _options, give) => give(null, addresses),
});

/** Sends the request, and gives its answer as soon as that has begun. */
const begin = ({ method, headers, body }: HttpRequest, target: https.RequestOptions, onConnected: () => void) =>
  new Promise<http.IncomingMessage>((answered, failed) => {
    const isSecure = target.protocol === 'https:';
    (isSecure ? https : http)
      .request({ ...target, method, headers }, answered)
      .on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', onConnected))
      .on('error', failed)
      .end(body);
  });

const readInto = async (chunks: Buffer[], response: http.IncomingMessage): Promise<void> => {
  for await (const chunk of response) {
    chunks.push(chunk);
    if (sizeOf(chunks) >= mostBytes) return;
  }
};

const sizeOf = (chunks: readonly Buffer[]): number => chunks.reduce((size, { length }) => size + length, 0);

const answerOf = ({ statusCode = 0, headers }: http.IncomingMessage, chunks: readonly Buffer[]): HttpAnswer => ({
  statusCode,
  headers,
  body: Buffer.concat(chunks).toString('utf8'),
  isCut: sizeOf(chunks) >= mostBytes,
});

const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name could not be resolved.',
  EAI_AGAIN: 'The host name could not be resolved.',
  ENODATA: 'The host name could not be resolved.',
  NO_ADDRESS: 'The host name has no address.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the complete response arrived.',
  EPIPE: 'The connection was closed before the complete response arrived.',
};

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';

/** Whoever is called, and whenever: the address is forbidden, or the request makes no sense. */
const neverToBeSent = (thrown: unknown): boolean =>
  thrown instanceof Refused || /^ERR_(INVALID|UNESCAPED)/.test(codeOf(thrown));

const reasonOf = (thrown: unknown): string => {
  if (thrown instanceof Refused) return thrown.message;
  const code = codeOf(thrown);
  return reasons[code] ?? `The request failed (${code}).`;
};
