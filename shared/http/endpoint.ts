import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { docsUrlOf, Fault, Unavailable } from '../kit/fault.ts';
import { newId } from '../kit/id.ts';
import { InternalError } from '../kit/internal-error.ts';
import { jsonOf } from '../kit/json-text.ts';
import { alsoAbout, causeOf, log } from '../kit/log.ts';
import { answered, loggedPath } from '../kit/request-line.ts';
import type { Clock } from '../kit/time.ts';
import { aboutRequest } from './about-request.ts';
import type { Contract, KeyedRequest, Reply, RequestOf } from './contract.ts';
import { beforeCutOff } from './cut-off.ts';
import { faults } from './faults.ts';
import { idempotencyKeyIn, replaying } from './idempotency.ts';
import type { StoredReply } from './idempotency-keys.ts';
import { readRequest } from './read-request.ts';
import { isRead } from './reads.ts';
import { retryHeadersOf } from './retry-after.ts';
import type { Surface } from './surface.ts';
import type { Answer, Step, Visit } from './visit.ts';

/** The handler of an endpoint. */
type Handle<C extends Contract, Who extends object> = (input: RequestOf<C> & Who) => Promise<Reply<C>>;

/**
 * A handler that can find the resource of an idempotency key. A refused request is then answered with that resource, with any
 * body.
 */
interface Recalling<C extends Contract, Who extends object> {
  readonly handle: Handle<C, Who>;
  /** The reply with what the key has created; undefined when it has created nothing. */
  readonly recall: (input: KeyedRequest<C> & Who) => Promise<Reply<C> | undefined>;
}

/**
 * A Lambda handler for one row of `infra/routes.ts`: it authenticates, parses the request, runs the handler and shapes the reply.
 * A thrown error that is not a `Fault` becomes a 500 without details, and is logged once.
 */
export const endpoint = <C extends Contract, Who extends object>(
  contract: C,
  action: Handle<C, Who> | Recalling<C, Who>,
  surface: Surface<Who>,
  clock: Clock = Date.now,
) => {
  const { handle, recall } = typeof action === 'function' ? { handle: action } : action;
  const handler = middy<Visit<C, Who>, Answer>({ timeoutEarlyInMillis: 0 })
    .use<Step<C, Who>[]>([
      finishing(contract, surface, clock),
      identifying(surface),
      naming(contract),
      ...(recall ? [recalling<C, Who>(contract, recall)] : []),
      ...(contract.isReplayable && surface.idempotencyKeys ? [replaying<C, Who>(surface.idempotencyKeys)] : []),
      reading(contract),
    ])
    .handler(({ who, input, replay }: Visit<C, Who>, context) =>
      beforeCutOff(context, async () =>
        replay ? replayed(replay) : answerOf(contract, await handle({ ...input, ...who })),
      ),
    );
  // Tests compare each answer with the description of its contract.
  return Object.assign(aboutRequest(handler), { contract });
};

/** No cache keeps an answer: a browser's would give it to the next person who uses the browser. */
const unkept = { 'Cache-Control': 'no-store' };

/** Every answer carries the request id and the caller's headers, whether it succeeded or not. */
const finishing = <C extends Contract, Who extends object>(
  contract: C,
  surface: Surface<Who>,
  clock: Clock,
): Step<C, Who> => ({
  before: ({ event, context }) => {
    event.nowMs = clock();
    event.deadlineMs = event.nowMs + context.getRemainingTimeInMillis();
  },
  after: finish,
  onError: async (request) => {
    const { error, event } = request;
    request.response ??= refused(error, event, surface, clock(), isRepeatable(contract, event));
    await finish(request);
  },
});

const refused = <Who extends object>(
  error: unknown,
  { requestContext: { requestId }, rawPath: path }: APIGatewayProxyEventV2,
  surface: Surface<Who>,
  nowMs: number,
  isRetrySafe: boolean,
): Answer => {
  const fault = error instanceof Fault ? error : unexpected(error, requestId, isRetrySafe);
  const code = surface.codeOf?.(fault.code) ?? fault.code;
  const { message } = fault;
  alsoAbout({ errorCode: code });
  const status = error instanceof Unavailable ? 503 : faults[code].status;
  const answer = json(status, surface.faultBody({ status, code, message, docsUrl: docsUrlOf(code), path, nowMs }));
  return { ...answer, headers: { ...answer.headers, ...retryHeadersOf(error) } };
};

const finish = async <C extends Contract, Who>(
  request: Parameters<NonNullable<Step<C, Who>['after']>>[0],
): Promise<void> => {
  if (!request.response) return;
  const { event, response, internal } = request;
  const { requestId } = event.requestContext;
  // What was done is answered, whether or not its end could be noted.
  await event
    .noteStatus?.(response.statusCode, madeIn(response))
    .catch((thrown: unknown) => log('error', 'the end of a change was not noted', causeOf(thrown)));
  Object.assign(response.headers, unkept, internal.headers, { 'X-Request-Id': requestId });
  log('info', answered, {
    routeKey: event.routeKey,
    method: event.requestContext.http.method,
    path: loggedPath(event),
    status: response.statusCode,
    durationMs: Date.now() - event.nowMs,
    ...event.keyHolder,
    ...(event.replay && { isReplay: true }),
  });
};

const made = z.object({
  data: z
    .object({ id: z.string() })
    .or(z.object({ webhook: z.object({ id: z.string() }) }).transform((of) => of.webhook)),
});

/** The id of what was made. */
const madeIn = ({ statusCode, body }: Answer): string | undefined =>
  statusCode === 201 && body ? made.safeParse(JSON.parse(body)).data?.data.id : undefined;

const unexpected = (thrown: unknown, requestId: string, isRetrySafe: boolean): Fault => {
  log('error', 'request failed', causeOf(thrown));
  const what = thrown instanceof Unavailable ? 'The service is temporarily unavailable' : 'Unexpected server error';
  return new Fault('internal_error', `${what}${isRetrySafe ? '; a retry is safe' : ''}. Request id: ${requestId}`);
};

/** Reads change nothing, and a request that has an idempotency key has one effect however often it comes. */
const isRepeatable = ({ isReplayable }: Contract, event: APIGatewayProxyEventV2): boolean =>
  isRead(event) || (isReplayable && Boolean(event.headers['idempotency-key']));

const identifying = <C extends Contract, Who extends object>(surface: Surface<Who>): Step<C, Who> => ({
  before: async ({ event, internal }) => {
    const identity = await surface.identify(event, event.nowMs);
    internal.headers = { ...identity.headers };
    event.keyHolder = identity.keyHolder;
    if (identity.keyHolder) alsoAbout({ accountId: identity.keyHolder.accountId });
    event.noteStatus = identity.noteStatus;
    if ('refusal' in identity) throw identity.refusal;
    event.who = identity.who;
  },
});

/** The ids of the request and of the resource that it creates. */
const naming = <C extends Contract, Who extends object>(contract: C): Step<C, Who> => ({
  before: ({ event }) => {
    event.newId = newId(event.nowMs);
    event.idempotencyKey = contract.isReplayable ? idempotencyKeyIn(event.headers) : undefined;
  },
});

/** When a request with a key is refused: answers with what the key has created, if it has. */
const recalling = <C extends Contract, Who extends object>(
  contract: C,
  recall: Recalling<C, Who>['recall'],
): Step<C, Who> => ({
  onError: async (request) => {
    const { who, idempotencyKey, nowMs, pathParameters } = request.event;
    const path = contract.path.safeParse(pathParameters ?? {});
    if (!(request.error instanceof Fault) || idempotencyKey === undefined || !path.success) return;
    try {
      const reply = await recall({ path: path.data as z.output<C['path']>, idempotencyKey, nowMs, ...who });
      if (reply !== undefined) request.response = answerOf(contract, reply);
    } catch (thrown) {
      // It is unknown whether the key has an answer, so the refusal is not stored as one.
      request.error =
        thrown instanceof Error
          ? thrown
          : new InternalError('an idempotency key could not be looked up', {}, { cause: thrown });
    }
  },
});

/** Runs after the idempotency step, because a key with an answer repeats it for any request. */
const reading = <C extends Contract, Who extends object>(contract: C): Step<C, Who> => ({
  before: ({ event }) => {
    if (event.replay) return;
    const { idempotencyKey, newId, nowMs, claim } = event;
    const named = { idempotencyKey, newId, nowMs, isResumed: claim?.isResumed ?? false };
    event.input = { ...readRequest(contract, event), ...named } as RequestOf<C>;
  },
});

/** The contract's reply schema strips undocumented fields. A reply that it refuses is a bug, so it becomes a 500. */
const answerOf = <C extends Contract>(contract: C, reply: Reply<C>): Answer => {
  if (contract.reply && !contract.beside && !contract.headers)
    return json(contract.status, { data: contract.reply.parse(reply) });
  const { data, headers, ...beside } = (reply ?? {}) as { data?: unknown; headers?: unknown };
  const answer = contract.reply
    ? json(contract.status, { data: contract.reply.parse(data), ...contract.beside?.parse(beside) })
    : { statusCode: contract.status, headers: {} };
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
