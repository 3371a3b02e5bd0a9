import { parseForeign } from '../../kit/json-pointer.ts';
import { log } from '../../kit/log.ts';
import { type HttpRequest, pinnedRequest } from '../http/pinned-request.ts';

/** The outcome of a call. Only `not_reached` certainly changed nothing at the gateway. */
export type GatewayReply =
  /** `document`: the JSON that came, its numbers as they were written; undefined when it was none. */
  | { readonly kind: 'answered'; readonly status: number; readonly document: unknown }
  | { readonly kind: 'not_reached' }
  | { readonly kind: 'no_answer' };

export type CallGateway = (call: HttpRequest) => Promise<GatewayReply>;

/** Gives what the calls of one operation are made with: they share its time. */
export type GatewayHttp = () => CallGateway;

export const getCall = (url: string): HttpRequest => ({ method: 'GET', url, headers: accepted, body: '' });

export const formCall = (url: string, fields: Readonly<Record<string, string>>): HttpRequest =>
  postCall(url, 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString());

export const jsonCall = (url: string, value: unknown, headers: Readonly<Record<string, string>>): HttpRequest =>
  postCall(url, 'application/json', JSON.stringify(value), headers);

const accepted = { Accept: 'application/json' } as const;

const postCall = (url: string, type: string, body: string, headers = {}): HttpRequest => ({
  method: 'POST',
  url,
  headers: { ...accepted, 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)), ...headers },
  body,
});

/**
 * Calls gateways. Nothing that the network or the gateway does is thrown, and no redirect is followed. An operation ends after 20 seconds,
 * within the time of a function, and one call after 15, so that what became of a call without an answer can still be asked. Queries carry
 * credentials and are never logged.
 */
export const gatewayHttp =
  ({
    operationMs = 20_000,
    callMs = 15_000,
  }: {
    readonly operationMs?: number;
    readonly callMs?: number;
  } = {}): GatewayHttp =>
  () => {
    const endsMs = performance.now() + operationMs;
    return async (call) => {
      const startedMs = performance.now();
      const leftMs = Math.floor(endsMs - startedMs);
      const reply: GatewayReply =
        leftMs < shortestCallMs ? { kind: 'not_reached' } : await exchange(call, Math.min(callMs, leftMs));
      const { host, pathname: path } = new URL(call.url);
      const status = reply.kind === 'answered' ? reply.status : undefined;
      const durationMs = Math.round(performance.now() - startedMs);
      log('info', 'gateway called', { host, path, outcome: reply.kind, status, durationMs });
      return reply;
    };
  };

/** No gateway answers within less, and only of a call that was not made is it known that it did nothing. */
const shortestCallMs = 50;

const exchange = async (call: HttpRequest, timeoutMs: number): Promise<GatewayReply> => {
  const { answer, failure } = await pinnedRequest({ isAllowed: () => true, timeoutMs })(call);
  if (failure) return { kind: failure.kind === 'broken' ? 'no_answer' : 'not_reached' };
  const { statusCode: status, body, isCut } = answer;
  return { kind: 'answered', status, document: isCut ? undefined : parseForeign(body) };
};
