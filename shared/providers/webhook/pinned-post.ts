import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import type { Answer } from '../../webhooks/delivery.ts';
import type { WebhookPost, WebhookTarget } from './webhook-target.ts';

interface PinnedPostOptions {
  /** Which addresses may be called. One that may not, among those of a name, refuses the name. */
  isAllowed(address: string): boolean;
  /** All addresses of a name. Asked once for each post; what it gives is what is connected to. */
  resolve?(name: string): Promise<readonly LookupAddress[]>;
  /** From the look-up of the name to the last byte of the answer. */
  readonly timeoutMs?: number;
}

const mostCharacters = 2_000;
/** Enough for that many characters of any script. What comes after is not read. */
const mostBytes = 64 * 1_024;

/** Why there was no answer, in words that tell nothing of the network that we are in. */
class NoAnswer extends Error {}

const resolveAll = (name: string) => lookup(name, { all: true });

/**
 * Calls targets that anyone may have named. The url is parsed once and its name looked up once; every address is checked, and only those
 * very addresses are connected to, whatever the name leads to by then. Redirects, proxies and kept connections play no part.
 */
export const pinnedPost = ({
  isAllowed,
  resolve = resolveAll,
  timeoutMs = 10_000,
}: PinnedPostOptions): WebhookTarget => {
  /** Node asks no look-up for an address in the url itself, so that one is checked like any other, here. */
  const addressesOf = async (host: string): Promise<LookupAddress[]> => {
    const family = isIP(host);
    const addresses = family > 0 ? [{ address: host, family }] : [...(await resolve(host))];
    if (addresses.length === 0) throw new NoAnswer('The name has no address.');
    if (!addresses.every(({ address }) => isAllowed(address)))
      throw new NoAnswer('Refused: the target is not a public address.');
    return addresses;
  };

  const call = async ({ url, headers, body }: WebhookPost, signal: AbortSignal) => {
    const target = urlToHttpOptions(new URL(url));
    const host = String(target.hostname);
    const addresses = await Promise.race([addressesOf(host), ended(signal)]);
    const response = await new Promise<http.IncomingMessage>((answered, failed) => {
      const { request } = target.protocol === 'https:' ? https : http;
      request(
        {
          ...target,
          method: 'POST',
          headers,
          agent: false,
          lookup: (_name, _options, give) => give(null, addresses),
          signal,
        },
        answered,
      )
        .on('error', failed)
        .end(body);
    });
    return { statusCode: response.statusCode ?? 0, responseBody: await beginningOf(response) };
  };

  return {
    post: async (post) => {
      const startedMs = performance.now();
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await call(post, signal).catch((thrown: unknown) => noAnswer(thrown, signal, timeoutMs));
      return { ...answer, responseTime: Math.round(performance.now() - startedMs) };
    },
  };
};

const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const beginningOf = async (response: http.IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= mostBytes) break;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return Array.from(text.slice(0, 2 * mostCharacters))
    .slice(0, mostCharacters)
    .join('');
};

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name could not be resolved.',
  EAI_AGAIN: 'The name could not be resolved.',
  ENODATA: 'The name could not be resolved.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was cut before the whole answer had come.',
  EPIPE: 'The connection was cut before the whole answer had come.',
};

const noAnswer = (thrown: unknown, signal: AbortSignal, timeoutMs: number): Omit<Answer, 'responseTime'> => ({
  statusCode: 0,
  responseBody: signal.aborted ? `No whole answer within ${timeoutMs / 1_000} seconds.` : reasonOf(thrown),
});

const reasonOf = (thrown: unknown): string => {
  if (thrown instanceof NoAnswer) return thrown.message;
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
  return reasons[code] ?? `The request failed (${code}).`;
};
