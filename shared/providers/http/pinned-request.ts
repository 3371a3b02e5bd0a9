import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type TcpNetConnectOpts } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { assertInTime } from '../../kit/time-limit.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent unchanged. */
  readonly body: string;
}

export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
  /** The body was longer than the limit, and is truncated. */
  readonly isCut: boolean;
}

/** Why an answer is missing or truncated. */
export interface HttpFailure {
  /** `refused`: not sent, because the address is forbidden or the request invalid. `unreached`: no connection. `broken`: there was a connection, so the request may have been received. */
  readonly kind: 'refused' | 'unreached' | 'broken';
  /** The time was over. */
  readonly isLate: boolean;
  /** A text that reveals nothing of our own network. */
  readonly message: string;
}

/** The outcome of a request: the answer, the failure, or both when the answer broke off after its headers. */
export type Exchange =
  | { readonly answer: HttpAnswer; readonly failure: undefined }
  | { readonly answer: HttpAnswer; readonly failure: HttpFailure }
  | { readonly answer: undefined; readonly failure: HttpFailure };

/** Never throws for a failure of the network or the target. */
export type SendRequest = (request: HttpRequest) => Promise<Exchange>;

export interface PinnedRequestOptions {
  /** Whether an address may be called. One forbidden address refuses the whole name. */
  isAllowed(address: string): boolean;
  /** All addresses of a name. Called once per request; the request connects only to its result. */
  resolve?(name: string): Promise<readonly LookupAddress[]>;
  /** The time from the DNS lookup to the last byte of the answer. */
  readonly timeoutMs?: number;
  /** Later bytes of the answer are not read. */
  readonly mostBytes?: number;
}

class Refused extends Error {}

class NoAddress extends Error {
  readonly code = 'NO_ADDRESS';
}

class ClosedEarly extends Error {
  readonly code = 'ECONNRESET';
}

const resolveAll = (name: string) => lookup(name, { all: true });

/**
 * Calls untrusted URLs. It parses the URL once and resolves its name once, checks every address, and connects only to these
 * addresses, so DNS rebinding has no effect. It follows no redirects, and uses no proxies or kept connections. TLS sessions are kept: who had
 * the certificate verified once may resume, which costs a fifth less.
 */
export const pinnedRequest = ({
  isAllowed,
  resolve = resolveAll,
  timeoutMs = 10_000,
  mostBytes = 64 * 1_024,
}: PinnedRequestOptions): SendRequest => {
  const sessions = new https.Agent({ keepAlive: false });

  /** Node skips the lookup for an IP address in the URL, so it is checked here. */
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
      assertInTime();
      const target = urlToHttpOptions(new URL(request.url));
      const addresses = await Promise.race([addressesOf(String(target.hostname)), ended(signal)]);
      const onConnected = () => {
        isConnected = true;
      };
      head = await begin(request, { ...target, ...pinnedTo(addresses), agent: sessions, signal }, onConnected);
      await readInto(chunks, head, mostBytes);
      // A body without a length ends with its connection, which the signal closes.
      signal.throwIfAborted();
      return { answer: answerOf(head, chunks, mostBytes), failure: undefined };
    } catch (thrown) {
      const isLate = signal.aborted;
      const message = isLate ? `No complete response within ${timeoutMs / 1_000} seconds.` : reasonOf(thrown);
      const kind = isConnected ? 'broken' : neverToBeSent(thrown) ? 'refused' : 'unreached';
      const failure = { kind, isLate, message } as const;
      return head ? { answer: answerOf(head, chunks, mostBytes), failure } : { answer: undefined, failure };
    }
  };
};

/**
 * How long one of several addresses may take to connect: a far one whose first packet is lost takes more than a second. Node waits 250 ms, and
 * goes on to the next, which often is the IPv6 address, where Lambda has no way.
 */
const attemptMs = 2_000;

const pinnedTo = (
  addresses: LookupAddress[],
): https.RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> => ({
  lookup: (_name, _options, give) => give(null, addresses),
  autoSelectFamilyAttemptTimeout: attemptMs,
});

/** Sends the request. Resolves when the answer begins. */
const begin = ({ method, headers, body }: HttpRequest, target: https.RequestOptions, onConnected: () => void) =>
  new Promise<http.IncomingMessage>((answered, failed) => {
    const isSecure = target.protocol === 'https:';
    (isSecure ? https : http)
      .request({ ...target, agent: isSecure && target.agent, method, headers }, answered)
      .on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', onConnected))
      .on('error', failed)
      // After a 101, which ends the connection, there is neither an answer nor an error.
      .on('close', () => failed(new ClosedEarly()))
      .end(body);
  });

const readInto = async (chunks: Buffer[], response: http.IncomingMessage, mostBytes: number): Promise<void> => {
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= mostBytes) return;
  }
};

const answerOf = (
  { statusCode = 0, headers }: http.IncomingMessage,
  chunks: readonly Buffer[],
  mostBytes: number,
): HttpAnswer => {
  const bytes = Buffer.concat(chunks);
  return { statusCode, headers, body: bytes.toString('utf8'), bytes, isCut: bytes.length >= mostBytes };
};

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

/** Final refusals: the address is forbidden, or the request is invalid. */
const neverToBeSent = (thrown: unknown): boolean =>
  thrown instanceof Refused || /^ERR_(INVALID|UNESCAPED)/.test(codeOf(thrown));

const reasonOf = (thrown: unknown): string => {
  if (thrown instanceof Refused) return thrown.message;
  const code = codeOf(thrown);
  return reasons[code] ?? `The request failed (${code}).`;
};
