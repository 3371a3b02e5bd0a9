import { InternalError, type SafeDetails } from './internal-error.ts';

const levels = ['debug', 'info', 'warn', 'error', 'off'] as const;
export type LogLevel = Exclude<(typeof levels)[number], 'off'>;

/** One line of JSON per fact, from `LOG_LEVEL` (default `info`) upward. Never personal data, bodies, keys or query strings. */
export const log = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
  const threshold = levels.findIndex((name) => name === (process.env['LOG_LEVEL'] ?? 'info'));
  if (levels.indexOf(level) < threshold) return;
  process.stdout.write(`${JSON.stringify({ level, at: new Date().toISOString(), message, ...fields })}\n`);
};

type Cause = {
  readonly error: string;
  /** The message of our own error. */
  readonly reason?: string;
  readonly details?: SafeDetails;
  /** A code of the system or a library, for example `ECONNREFUSED`. */
  readonly code?: string | number;
  /** One frame a line: function, file, line and column. */
  readonly stack?: string;
  readonly cause?: Cause;
  /** The errors of an AggregateError. */
  readonly errors?: readonly Cause[];
};

const mostErrors = 5;
const mostFrames = 8;

/** No spaces, `@` or `+`: it matches ids and codes, but no address, phone, text or full name. */
const isWord = (text: string): boolean => /^[\w.:-]{1,100}$/.test(text);

const codeOf = (thrown: Error): Pick<Cause, 'code'> => {
  const code: unknown = Reflect.get(thrown, 'code');
  return typeof code === 'number' || (typeof code === 'string' && isWord(code)) ? { code } : {};
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
 * keeps its own; other errors keep name, code and stack frames.
 */
export const causeOf = (thrown: unknown, seen: ReadonlySet<unknown> = new Set()): Cause => {
  if (!(thrown instanceof Error)) return { error: typeof thrown };
  const above = new Set(seen).add(thrown);
  const isNew = (other: unknown) => other !== undefined && !above.has(other);
  return {
    error: isWord(thrown.name) ? thrown.name : 'Error',
    ...reasonOf(thrown),
    ...codeOf(thrown),
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
