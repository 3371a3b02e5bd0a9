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
  /** Of the system or of a library, such as `ECONNREFUSED`. */
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: Cause;
  /** The errors that an AggregateError puts together. */
  readonly errors?: readonly Cause[];
};

const mostCauses = 5;
const mostFrames = 8;

const codeOf = (thrown: Error): Pick<Cause, 'code'> => {
  const code: unknown = Reflect.get(thrown, 'code');
  return typeof code === 'number' || (typeof code === 'string' && /^\w{1,60}$/.test(code)) ? { code } : {};
};

/**
 * What a log line may say of something thrown and of its causes: names, codes and stack frames, without the messages, which may quote what a
 * caller sent or another company's service answered.
 */
export const causeOf = (thrown: unknown, depth = 1): Cause => {
  if (!(thrown instanceof Error)) return { error: typeof thrown };
  const isDeepest = depth >= mostCauses;
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    error: thrown.name,
    ...codeOf(thrown),
    stack: frames.slice(0, mostFrames).join('\n'),
    ...(thrown.cause !== undefined && !isDeepest && { cause: causeOf(thrown.cause, depth + 1) }),
    ...(thrown instanceof AggregateError &&
      !isDeepest && { errors: thrown.errors.slice(0, mostCauses).map((each) => causeOf(each, depth + 1)) }),
  };
};
