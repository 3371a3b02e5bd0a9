import type { World } from './world.ts';

/** One request as a client makes it: repeated, with the same key, until it has an answer. */
export interface Request {
  readonly does: string;
  readonly routeKey: string;
  readonly key: string;
  /** Whose key it is. */
  readonly account: string;
  readonly body?: object;
  readonly path?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string | undefined;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: clients read any field of an answer
  readonly body: any;
}

const mostTries = 8;
const againMs = 2_000;

/** As API Gateway answers for a function that was cut off. */
const cutOff: Answer = { status: 503, body: undefined };

const eventOf = ({ routeKey, key, body, path, idempotencyKey }: Request) => ({
  version: '2.0',
  routeKey,
  rawPath: routeKey.split(' ')[1],
  rawQueryString: '',
  headers: {
    'x-api-key': key,
    'content-type': 'application/json',
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  },
  requestContext: { requestId: 'request', http: { method: routeKey.split(' ')[0], sourceIp: '203.0.113.7' } },
  isBase64Encoded: false,
  ...(path && { pathParameters: path }),
  ...(body && { body: JSON.stringify(body) }),
});

const answerOf = (answer: unknown): Answer => {
  const { statusCode, body } = { statusCode: 0, body: '', ...Object(answer) };
  return { status: Number(statusCode), body: body === '' ? undefined : JSON.parse(String(body)) };
};

/** Clients of the API. A request without an idempotency key is made once, whatever comes of it. */
export const clientIn = ({ lambda, timeline }: World) => {
  const ask = (request: Request, onAnswer: (answer: Answer) => void): void =>
    lambda.invoke(
      request.does,
      eventOf(request),
      (outcome) => onAnswer(outcome !== 'killed' && 'answer' in outcome ? answerOf(outcome.answer) : cutOff),
      [request.account],
    );

  const isOpen = ({ status, body }: Answer): boolean =>
    status >= 500 || status === 429 || (status === 409 && /in progress|in flight/i.test(JSON.stringify(body)));

  /** Makes a request; gives each answer that ends it, and the last one if none does. */
  const request = (made: Request, onEnd: (answer: Answer) => void, left = mostTries): void =>
    ask(made, (answer) => {
      if (made.idempotencyKey === undefined || !isOpen(answer) || left === 0) onEnd(answer);
      else timeline.after(againMs * (mostTries + 1 - left), () => request(made, onEnd, left - 1));
    });

  return { request };
};
