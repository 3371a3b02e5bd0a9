/** `never` for a message that was built from values, which may be personal data. */
type Constant<Text extends string> = Record<never, never> extends Record<Text, unknown> ? never : Text;

/** Ids, codes and counts: what the log may show. Never an address, a name, a text or a key. */
export type SafeDetails = Readonly<Record<string, string | number | boolean | undefined>>;

interface InternalErrorOptions extends ErrorOptions {
  readonly isUndone?: boolean;
}

/**
 * Something failed on our side: a broken invariant, a mistake in the setup, an answer that a provider never gives. The log shows the message
 * and the details, unlike those of other errors; callers see neither. What a caller can correct is a `Fault`.
 */
export class InternalError<Message extends string = string> extends Error {
  override readonly name: string = 'InternalError';
  readonly details: SafeDetails;
  /** What the request had written is taken back, so that a retry is a new attempt. */
  readonly isUndone: boolean;

  constructor(message: Constant<Message>, details: SafeDetails = {}, options: InternalErrorOptions = {}) {
    super(message, options);
    this.details = details;
    this.isUndone = options.isUndone ?? false;
  }
}
