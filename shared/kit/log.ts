const levels = ['debug', 'info', 'warn', 'error', 'off'] as const;
export type LogLevel = Exclude<(typeof levels)[number], 'off'>;

/** One line of JSON per fact, from `LOG_LEVEL` (default `info`) upward. Never personal data, bodies, keys or query strings. */
export const log = (level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
  const threshold = levels.findIndex((name) => name === (process.env['LOG_LEVEL'] ?? 'info'));
  if (levels.indexOf(level) < threshold) return;
  process.stdout.write(`${JSON.stringify({ level, at: new Date().toISOString(), message, ...fields })}\n`);
};

/** What a log line may say of something thrown: its name and stack, without the message, which may quote what a caller sent. */
export const causeOf = (thrown: unknown): { readonly error: string; readonly stack?: string } =>
  thrown instanceof Error
    ? {
        error: thrown.name,
        stack: (thrown.stack ?? '')
          .split('\n')
          .filter((line) => /^\s+at /.test(line))
          .slice(0, 8)
          .join('\n'),
      }
    : { error: typeof thrown };
