/** A refusal of the service, or of the gateway in front of it. Branch on `code`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly code: string;
  /** Quote it when you contact support. */
  readonly requestId: string | null;

  constructor({ status, code, message, requestId }: Pick<ServiceError, 'status' | 'code' | 'message' | 'requestId'>) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** The connection failed, or broke off in the middle of an answer: the service may have acted. */
export class ConnectionError extends TypeError {
  override readonly name = 'ConnectionError';
}

/** `fetch`, and the reading of its answer, reject with a `TypeError` where the connection fails, which a bug would be too. */
export const overNetwork = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw error instanceof TypeError ? new ConnectionError(error.message, { cause: error }) : error;
  });

/** The operations of an API, by `POST /messages`. */
type Operations<All> = { [Key in keyof All]: { readonly request: object; readonly reply: unknown } };

interface Options {
  /** Of a write: the client makes one, if none is given, or an empty one. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** In place of that of the client: for a large body on a slow line. */
  readonly timeoutMs?: number;
}

type Args<Request> = object extends Request ? [request?: Request & Options] : [request: Request & Options];
type RowOf<Reply> = Reply extends { data: readonly (infer Row)[] } ? Row : never;

export interface Settings {
  /** With the path of the API: `https://api.example.com/api/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Operations that take an Idempotency-Key. */
  readonly replayable: ReadonlySet<string>;
  /** Attempts of one call in total. */
  readonly attempts?: number;
  /** A call that is to wait longer than this for its next attempt is refused instead. */
  readonly longestWaitMs?: number;
  /** An attempt without a whole answer by then counts as lost. The service answers within 30 seconds of the whole request. `Infinity`: no limit but that of `fetch`. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
}

/** Rejects at once when the caller gives up. */
const sleepFor = async (ms: number, signal?: AbortSignal): Promise<void> => {
  signal?.throwIfAborted();
  let stop = (): void => undefined;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop);
  }).finally(() => signal?.removeEventListener('abort', stop));
};

/**
 * Gives up after this time, or as soon as the caller does. `AbortSignal.any` is missing in browsers of 2023, and some of those reject with an
 * error of their own in place of the reason.
 */
const inTime = async <T>(
  timeoutMs: number,
  caller: AbortSignal | undefined,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  caller?.throwIfAborted();
  const attempt = new AbortController();
  const giveUp = (): void => attempt.abort(caller?.reason);
  caller?.addEventListener('abort', giveUp);
  const endLate = (): void => attempt.abort(new DOMException('The service did not answer in time.', 'TimeoutError'));
  const timer = timeoutMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(endLate, timeoutMs);
  try {
    return await act(attempt.signal);
  } catch (error) {
    throw attempt.signal.aborted ? attempt.signal.reason : error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', giveUp);
  }
};
const firstDelayMs = 250;
const longestDelayMs = 20_000;

interface AnyRequest extends Options {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A client of one API. `All` lists its operations. */
export const openClient = <All extends Operations<All>>({
  baseUrl,
  key,
  replayable,
  attempts = 5,
  longestWaitMs = Number.POSITIVE_INFINITY,
  timeoutMs = 120_000,
  fetch = globalThis.fetch,
  sleep = sleepFor,
  random = Math.random,
}: Settings) => {
  /** How long the attempt after this one may wait; there is none after the last one. */
  const mostWaitMs = (attempt: number): number => (attempt < attempts ? longestWaitMs : -1);

  const send = async (operation: string, request: AnyRequest): Promise<unknown> => {
    const { signal } = request;
    // The service takes an empty key for none, and a repetition without a key has a second effect.
    const idempotencyKey = request.idempotencyKey || crypto.randomUUID();
    const [method = '', template = ''] = operation.split(' ');
    const isWrite = method !== 'GET';
    // A consent or credits that are set a second time override what has happened since the first.
    const mayRepeat = !['POST', 'PUT'].includes(method) || replayable.has(operation);
    const wanted: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(isWrite && { 'idempotency-key': idempotencyKey }),
        'content-type': 'application/json',
      },
      body: request.body === undefined ? null : JSON.stringify(request.body),
    };
    const url = baseUrl.replace(/\/+$/, '') + pathOf(template, request);
    let mayBeGone = false;
    for (let attempt = 1; ; attempt += 1) {
      const mostMs = mostWaitMs(attempt);
      const heard = await inTime(request.timeoutMs ?? timeoutMs, signal, async (within) =>
        heardFrom(await overNetwork(fetch(url, { ...wanted, signal: within }))),
      ).catch((error: unknown) => {
        // The service may have acted, although its answer is lost, or a part of it.
        if (signal?.aborted || !mayRepeat || mostMs < 0) throw error;
        return undefined;
      });
      if (heard && isDone(heard.answer, mayBeGone)) return heard.content;
      const waitMs = delayMs(heard?.answer, attempt, random());
      throwUnless(heard?.refusal, (refusal) => waitMs <= mostMs && isPassing(refusal, mayRepeat));
      mayBeGone ||= method === 'DELETE' && heard?.answer.status !== 429;
      await sleep(waitMs, signal);
    }
  };

  return {
    /**
     * One call. Once retries are used up or useless, rejects with a `ServiceError` or, where no answer came, with a `ConnectionError` or a
     * `DOMException` whose name is `TimeoutError`. Rejects with the reason of its `signal` when that is aborted.
     */
    call: async <Key extends keyof All & string>(
      operation: Key,
      ...[request = {}]: Args<All[Key]['request']>
    ): Promise<All[Key]['reply']> => send(operation, request),

    /** All rows of a list, page by page. */
    async *all<Key extends keyof All & string>(
      operation: Key,
      ...[request = {}]: Args<All[Key]['request']>
    ): AsyncGenerator<RowOf<All[Key]['reply']>, void> {
      let next: Readonly<Record<string, unknown>> | undefined = {};
      while (next) {
        const { query }: AnyRequest = request;
        const page = (await send(operation, { ...request, query: { ...query, ...next } })) as Page<
          RowOf<All[Key]['reply']>
        >;
        yield* page.data;
        next = pageAfter(page);
      }
    },
  };
};

interface Paging {
  readonly cursor?: string | null;
  readonly page?: number;
  readonly totalPages?: number;
  readonly pages?: number;
}

type Page<Row> = Paging & { readonly data: readonly Row[]; readonly pagination?: Paging };

/** The query of the page after this one; undefined after the last one. */
const pageAfter = <Row>({ pagination, ...beside }: Page<Row>): Record<string, unknown> | undefined => {
  const { cursor, page = 1, totalPages, pages = totalPages } = pagination ?? beside;
  if (cursor) return { cursor };
  return pages !== undefined && page < pages ? { page: page + 1 } : undefined;
};

const pathOf = (template: string, { path = {}, query = {} }: AnyRequest): string => {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, String(path[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? filled
    : `${filled}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
};

/** In a URL, a dot or two lead to another path, also when they are encoded: the call would be another operation. No resource has such an id. */
const segmentOf = (name: string, value: string): string => {
  if (value !== '.' && value !== '..') return encodeURIComponent(value);
  throw new ServiceError({
    status: 404,
    code: 'not_found',
    message: `${name}: nothing is at ${value}`,
    requestId: null,
  });
};

/** An answer is heard once its content is there: the connection can break in the middle of it. */
const heardFrom = async (answer: Response) => ({
  answer,
  content: answer.ok && answer.status !== 204 ? await overNetwork(answer.json()) : undefined,
  refusal: answer.ok ? undefined : await errorOf(answer),
});

/** Also when an earlier attempt, whose answer was lost, has deleted what is not found now. */
const isDone = ({ ok, status }: Response, mayBeGone: boolean): boolean => ok || (status === 404 && mayBeGone);

const throwUnless = (refusal: ServiceError | undefined, isPassing: (refusal: ServiceError) => boolean): void => {
  if (refusal && !isPassing(refusal)) throw refusal;
};

/**
 * A request that was refused with 429 had no effect, so any may be repeated. A conflict of its key can mean that an earlier attempt, whose answer
 * was lost, is still going on.
 */
const isPassing = ({ status, code }: ServiceError, mayRepeat: boolean): boolean =>
  status === 429 || (mayRepeat && (status >= 500 || code === 'idempotency_conflict'));

/** As the service asks, or exponential with full jitter. */
const delayMs = (answer: Response | undefined, attempt: number, random: number): number => {
  const asked = Number(answer?.headers.get('retry-after') ?? Number.NaN);
  if (asked >= 0) return asked * 1_000;
  return random * Math.min(longestDelayMs, firstDelayMs * 2 ** attempt);
};

interface Refusal {
  readonly error?: string | { readonly code: string; readonly message: string };
  readonly message?: string;
}

/** Webhook management refuses in an older shape, the gateway in one without a code, and a proxy with a page. HTTP/2 has no words for a status. */
const errorOf = async (answer: Response): Promise<ServiceError> => {
  const body = (await answer.json().catch(() => ({}))) as Refusal;
  const { status, headers } = answer;
  const refusal = typeof body.error === 'object' ? body.error : { code: body.error, message: body.message };
  const { code = 'unknown', message = `The server answered with HTTP status ${status}.` } = refusal;
  return new ServiceError({
    status,
    code,
    message,
    requestId: headers.get('x-request-id') ?? headers.get('apigw-requestid'),
  });
};
