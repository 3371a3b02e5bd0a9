import type { Random } from './random.ts';
import type { World } from './world.ts';

type Texts = Readonly<Record<string, string>>;

/** One request as a client makes it. */
export interface Request {
  readonly does: string;
  readonly routeKey: string;
  readonly headers?: Texts;
  /** Of a browser. */
  readonly cookies?: readonly string[];
  readonly userAgent?: string;
  /** The only account that it may change, if its caller has a key. */
  readonly account?: string;
  /** JSON; as text: a form. */
  readonly body?: object | string;
  readonly path?: Texts;
  readonly query?: Texts;
  readonly idempotencyKey?: string | undefined;
}

/** JSON of an answer, or a part of it. */
// biome-ignore lint/suspicious/noExplicitAny: clients read any field of an answer
export type Data = any;

export interface Answer {
  readonly status: number;
  readonly headers: Texts;
  /** Of JSON only. */
  readonly body: Data;
  readonly text: string;
}

const mostTries = 8;
const againMs = 2_000;
/** The probability that a file does not arrive, or that its sender does not know it. */
const lostFileChance = 0.1;

/** As API Gateway answers for a function that was cut off. */
const cutOff: Answer = { status: 503, headers: {}, body: undefined, text: '' };

const eventOf = ({ routeKey, headers, cookies, userAgent, body, path, query, idempotencyKey }: Request) => ({
  version: '2.0',
  routeKey,
  rawPath: routeKey.split(' ')[1],
  rawQueryString: new URLSearchParams(query).toString(),
  headers: {
    'content-type': typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json',
    ...headers,
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  },
  ...(cookies && { cookies }),
  requestContext: {
    requestId: 'request',
    http: { method: routeKey.split(' ')[0], sourceIp: '203.0.113.7', ...(userAgent !== undefined && { userAgent }) },
  },
  isBase64Encoded: false,
  ...(path && { pathParameters: path }),
  ...(query && { queryStringParameters: query }),
  ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
});

const answerOf = (answer: unknown): Answer => {
  const { statusCode, headers, body } = { statusCode: 0, headers: {}, body: '', ...Object(answer) };
  const isJson = String(headers['Content-Type']).startsWith('application/json');
  const text = String(body);
  return { status: Number(statusCode), headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
};

/** Clients of the API. */
export const clientIn = ({ lambda, timeline, bucket }: World) => {
  const ask = (request: Request, onAnswer: (answer: Answer) => void): void =>
    lambda.invoke(
      request.does,
      eventOf(request),
      (outcome) => onAnswer(outcome !== 'killed' && 'answer' in outcome ? answerOf(outcome.answer) : cutOff),
      request.account === undefined ? undefined : [request.account],
    );

  const wait = (ms: number): Promise<void> => new Promise((resolve) => timeline.after(ms, resolve));

  const isOpen = ({ status, body }: Answer): boolean =>
    status >= 500 || status === 429 || (status === 409 && /in progress|in flight/i.test(JSON.stringify(body)));

  /** Makes a request and, with an idempotency key, repeats it until it has an answer; gives the last one if there is none. */
  const request = (made: Request, onEnd: (answer: Answer) => void, left = mostTries): void =>
    ask(made, (answer) => {
      if (made.idempotencyKey === undefined || !isOpen(answer) || left === 0) onEnd(answer);
      else timeline.after(againMs * (mostTries + 1 - left), () => request(made, onEnd, left - 1));
    });

  return {
    request,

    /** Makes a request once. */
    ask: (made: Request): Promise<Answer> => new Promise((resolve) => ask(made, resolve)),

    wait,

    /** Sends a file to a URL, again until it has an answer; gives its status. */
    upload: async (url: string, body: Buffer, chance: Random): Promise<number> => {
      for (let left = mostTries; left > 0; left -= 1) {
        await wait(1 + chance.below(500));
        const [isLost, arrives] = [chance.isChance(lostFileChance), chance.isChance(0.5)];
        const isSent = !isLost || arrives;
        const answer = isSent ? bucket.answer({ method: 'PUT', url: new URL(url), headers: {}, body }) : undefined;
        if (answer && !isLost) return answer.status;
        await wait(againMs);
      }
      return cutOff.status;
    },

    /** What a URL gives; undefined when it gives nothing. */
    download: (url: string): Buffer | undefined => {
      const { status, body } = bucket.answer({ method: 'GET', url: new URL(url), headers: {}, body: Buffer.alloc(0) });
      return status === 200 ? body : undefined;
    },
  };
};
