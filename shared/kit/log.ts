import { AsyncLocalStorage } from 'node:async_hooks';
import { InternalError, type SafeDetails } from './internal-error.ts';

const levels = ['debug', 'info', 'warn', 'error', 'off'] as const;
export type LogLevel = Exclude<(typeof levels)[number], 'off'>;

/** Lists are of names. */
type Subject = Readonly<Record<string, SafeDetails[string] | readonly string[]>>;
const subject = new AsyncLocalStorage<Subject>();

/** Every line that is logged while `work` runs has these fields too: ids of the request or job, the account, the message. */
export const logAbout = <Result>(fields: SafeDetails, work: () => Result): Result =>
  subject.run({ ...subject.getStore(), ...fields }, work);

/** The lines that follow in the same `logAbout` have these fields too. */
export const alsoAbout = (fields: Subject): void => {
  Object.assign(subject.getStore() ?? {}, fields);
};

/**
 * One line of JSON per fact, from `LOG_LEVEL` (default `info`) upward. Never personal data, keys, or values of bodies and query strings. Lambda knows the level and
 * the time of a line by these names (Lambda developer guide, “Log-level filtering”).
 */
export const log = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
  const threshold = levels.findIndex((name) => name === (process.env['LOG_LEVEL'] ?? 'info'));
  if (levels.indexOf(level) < threshold) return;
  process.stdout.write(
    `${JSON.stringify({ level, timestamp: new Date().toISOString(), message, ...subject.getStore(), ...fields })}\n`,
  );
};

type Cause = {
  readonly error: string;
  /** The message of our own error. */
  readonly reason?: string;
  readonly details?: SafeDetails;
  /** A code of the system or a library, for example `ECONNREFUSED`. */
  readonly code?: string | number;
  /** Of an answer of AWS: its HTTP status, the id to name to AWS's support, and why the parts of a transaction were refused. */
  readonly httpStatus?: number;
  readonly awsRequestId?: string;
  readonly refusals?: readonly string[];
  /** One frame a line: function, file, line and column. */
  readonly stack?: string;
  readonly cause?: Cause;
  /** The errors of an AggregateError. */
  readonly errors?: readonly Cause[];
};

const mostErrors = 5;
const mostFrames = 8;

/** No spaces, `@` or `+`: it matches ids and codes, but no address, phone, text or full name. */
export const isWord = (text: string): boolean => /^[\w.:-]{1,100}$/.test(text);

const codeOf = (thrown: Error): Pick<Cause, 'code'> => {
  const code: unknown = Reflect.get(thrown, 'code');
  return typeof code === 'number' || (typeof code === 'string' && isWord(code)) ? { code } : {};
};

/** The SDK of AWS describes the answer in `$metadata`, and a cancelled transaction has a code for each of its parts. */
const answerOf = (thrown: Error): Pick<Cause, 'httpStatus' | 'awsRequestId' | 'refusals'> => {
  const field = (of: unknown, name: string): unknown =>
    typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
  const metadata = field(thrown, '$metadata');
  const [status, requestId] = [field(metadata, 'httpStatusCode'), field(metadata, 'requestId')];
  const parts = field(thrown, 'CancellationReasons');
  const refusals = (Array.isArray(parts) ? parts : [])
    .map((part) => field(part, 'Code'))
    .filter((code): code is string => typeof code === 'string' && code !== 'None' && isWord(code));
  return {
    ...(typeof status === 'number' && { httpStatus: status }),
    ...(typeof requestId === 'string' && isWord(requestId) && { awsRequestId: requestId }),
    ...(refusals.length > 0 && { refusals }),
  };
};

const reasonOf = (thrown: Error): Pick<Cause, 'reason' | 'details'> => {
  if (!(thrown instanceof InternalError)) return {};
  const details = Object.entries(thrown.details).filter(([, value]) => typeof value !== 'string' || isWord(value));
  return { reason: thrown.message, ...(details.length > 0 && { details: Object.fromEntries(details) }) };
};

const frame = /^\s+at (?:async )?(?:[\w.<>$#[\] ]+ )?\(?(?:node:|file:\/\/|\/)[^()@]+:\d+:\d+\)?$/;

/** A stack begins with the name and the message, which may contain lines like frames. */
const framesOf = ({ stack = '', name, message }: Error): string[] => {
  const quoted = new Set(`${name}\n${message}`.split('\n'));
  return stack.split('\n').filter((line) => frame.test(line) && !quoted.has(line));
};

/**
 * What the log may show of a thrown error and all its causes. Messages may quote a caller's or provider's data, so only an `InternalError`
 * keeps its own; other errors keep name, code, what AWS answered, and stack frames.
 */
export const causeOf = (thrown: unknown, seen: ReadonlySet<unknown> = new Set()): Cause => {
  if (!(thrown instanceof Error)) return { error: typeof thrown };
  const above = new Set(seen).add(thrown);
  const isNew = (other: unknown) => other !== undefined && !above.has(other);
  return {
    error: isWord(thrown.name) ? thrown.name : 'Error',
    ...reasonOf(thrown),
    ...codeOf(thrown),
    ...answerOf(thrown),
    stack: framesOf(thrown).slice(0, mostFrames).join('\n'),
    ...(isNew(thrown.cause) && { cause: causeOf(thrown.cause, above) }),
    ...(thrown instanceof AggregateError && {
      errors: thrown.errors
        .filter(isNew)
        .slice(0, mostErrors)
        .map((each) => causeOf(each, above)),
    }),
  };
};
