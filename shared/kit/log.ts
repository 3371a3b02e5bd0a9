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
  /** The message of an error of ours. */
  readonly reason?: string;
  readonly details?: SafeDetails;
  /** Of the system or of a library, such as `ECONNREFUSED`. */
  readonly code?: string | number;
  /** One frame a line: the function, and its place as file, line and column. */
  readonly stack?: string;
  readonly cause?: Cause;
  /** The errors that an AggregateError puts together. */
  readonly errors?: readonly Cause[];
};

const mostErrors = 5;
const mostFrames = 8;

/** No spaces, no `@`, no `+`: an id or a code can be this, an address, a text or a name in full cannot. */
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

/** A stack begins with the name and the message, which may have lines that look like frames. */
const framesOf = ({ stack = '', name, message }: Error): string[] => {
  const said = new Set(`${name}\n${message}`.split('\n'));
  return stack.split('\n').filter((line) => frame.test(line) && !said.has(line));
};

/**
 * What a log line may say of something thrown and of all its causes. Messages may quote what a caller sent or a provider returned, so only an
 * `InternalError` keeps its own; of other errors the name, the code and the stack frames are left.
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
