import { InternalError } from './internal-error.ts';

/** A job fails by design, so that it comes back: another run has to end first. It is logged as a warning. */
export class ComesBack<Message extends string = string> extends InternalError<Message> {
  override readonly name = 'ComesBack';
}
