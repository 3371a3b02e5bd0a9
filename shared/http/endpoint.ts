import middy from '@middy/core';
import { Fault, Unavailable } from '../kit/fault.ts';
import { newId } from '../kit/id.ts';
import { jsonOf } from '../kit/json-text.ts';
import { causeOf, log } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';
import type { Contract, Reply, RequestOf } from './contract.ts';
import { docsUrlOf, faults } from './faults.ts';
import { readRequest } from './read-request.ts';
import { keyIn, replaying, type StoredReply } from './replay.ts';
import type { Surface } from './surface.ts';
import type { Answer, Step, Visit } from './visit.ts';

/** Lambda cuts a function off without a word; answering this much earlier keeps the envelope. */
const timeoutEarlyInMillis = 250;

/**
 * A Lambda handler for one row of `infra/routes.ts`: who calls, what they ask, what happens, what is promised back.
 * Everything thrown that is not a `Fault` is a 500 that says nothing, logged once.
 */
export const endpoint = <C extends Contract, Who extends object>(
  contract: C,
  handle: (input: RequestOf<C> & Who) => Promise<Reply<C>>,
  surface: Surface<Who>,
  clock: Clock = Date.now,
) =>
  middy<Visit<C, Who>, Answer>({ timeoutEarlyInMillis })
    .use<Step<C, Who>[]>([
      answering(surface, clock),
      identifying(surface),
      reading(contract),
      ...(contract.isReplayable && surface.replays ? [replaying<C, Who>(surface.replays)] : []),
    ])
    .handler(async ({ who, input, replay }: Visit<C, Who>) =>
      replay ? replayed(replay) : answerOf(contract, await handle({ ...input, ...who })),
    );

/** Every answer carries the request id and the caller's headers, whether it succeeded or not. */
const answering = <C extends Contract, Who extends object>(surface: Surface<Who>, clock: Clock): Step<C, Who> => ({
  before: ({ event }) => {
    event.nowMs = clock();
  },
  after: (request) => {
    finish(request);
  },
  onError: (request) => {
    const requestId = request.event.requestContext.requestId;
    const fault = request.error instanceof Fault ? request.error : unexpected(request.error, requestId);
    const status = request.error instanceof Unavailable ? 503 : faults[fault.code].status;
    const body = surface.faultBody({
      status,
      code: fault.code,
      message: fault.message,
      docsUrl: docsUrlOf(fault.code),
      path: request.event.rawPath,
      nowMs: clock(),
    });
    request.response = json(status, body);
    if (request.error instanceof Unavailable) {
      request.response.headers['Retry-After'] = String(request.error.retryAfterSeconds);
    }
    finish(request);
  },
});

const finish = <C extends Contract, Who>(request: Parameters<NonNullable<Step<C, Who>['after']>>[0]): void => {
  if (!request.response) return;
  const { requestContext, routeKey, nowMs } = request.event;
  Object.assign(request.response.headers, request.internal.headers, { 'X-Request-Id': requestContext.requestId });
  const durationMs = Date.now() - nowMs;
  log('info', 'answered', {
    requestId: requestContext.requestId,
    routeKey,
    status: request.response.statusCode,
    durationMs,
  });
};

const unexpected = (thrown: unknown, requestId: string): Fault => {
  log('error', 'request failed', { requestId, ...causeOf(thrown) });
  return new Fault('internal_error', `Something failed on our side; a retry is safe. Request id: ${requestId}`);
};

const identifying = <C extends Contract, Who extends object>(surface: Surface<Who>): Step<C, Who> => ({
  before: async ({ event, internal }) => {
    const identity = await surface.identify(event, event.nowMs);
    internal.headers = { ...identity.headers };
    if ('refusal' in identity) throw identity.refusal;
    event.who = identity.who;
  },
});

const reading = <C extends Contract, Who extends object>(contract: C): Step<C, Who> => ({
  before: ({ event }) => {
    const request = readRequest(contract, event);
    const idempotencyKey = contract.isReplayable ? keyIn(event.headers) : undefined;
    event.input = { ...request, idempotencyKey, newId: newId(event.nowMs), nowMs: event.nowMs } as RequestOf<C>;
  },
});

/** The contract's reply schema strips what is not promised. A reply that it refuses is a bug, so it ends as a 500. */
const answerOf = <C extends Contract>(contract: C, reply: Reply<C>): Answer => {
  if (!contract.reply) return { statusCode: contract.status, headers: {} };
  if (!contract.beside && !contract.headers) return json(contract.status, { data: contract.reply.parse(reply) });
  const { data, headers, ...beside } = reply as { data: unknown; headers?: unknown };
  const answer = json(contract.status, { data: contract.reply.parse(data), ...contract.beside?.parse(beside) });
  const own = Object.entries(contract.headers?.parse(headers) ?? {}).map(([name, value]) => [name, String(value)]);
  return { ...answer, headers: { ...answer.headers, ...Object.fromEntries(own) } };
};

const contentType = { 'Content-Type': 'application/json; charset=utf-8' };

const json = (statusCode: number, body: unknown): Answer => ({
  statusCode,
  headers: { ...contentType },
  body: jsonOf(body),
});

const replayed = ({ status, body }: StoredReply): Answer => ({
  statusCode: status,
  headers: { ...contentType, 'Idempotent-Replay': 'true' },
  body,
});
