import type { Content } from './content.ts';
import type { Sender } from './sender.ts';

export interface MailAttachment {
  readonly filename: string;
  readonly content: Buffer;
  readonly contentType?: string | undefined;
  /** Content-ID: the HTML body may show it as `cid:…`. */
  readonly cid?: string | undefined;
}

/** An email, ready for a provider. */
export interface Mail extends Content {
  readonly messageId: string;
  readonly accountId: string;
  readonly from: Sender;
  readonly to: string;
  readonly replyTo: string | undefined;
  readonly attachments: readonly MailAttachment[];
  /** The one-click unsubscribe URL; undefined when the sender omits the header. */
  readonly unsubscribeUrl?: string | undefined;
  /** The platform wrote it, so that no absence note answers it (RFC 3834). */
  readonly isAutomatic?: boolean;
  /** Somebody waits for it now: it does not stand back while others wait for their turn at the provider. */
  readonly isUrgent?: boolean;
}

/**
 * What became of a mail. `accepted`: it is on its way; `reference`: the provider's id of it. `refused`: this mail will never be taken. `unavailable`: nothing was taken, another time it may be;
 * after `retryAfterSeconds` where the sending rate is exceeded (`isBusy`), or sending is paused.
 * `unknown`: the provider was called, but no answer came; it must not be sent again. `cause`: the error of the call.
 */
export type MailOutcome =
  | { readonly kind: 'accepted'; readonly reference?: string | undefined }
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string; readonly cause?: unknown }
  | {
      readonly kind: 'unavailable';
      readonly isBusy?: true;
      readonly retryAfterSeconds?: number;
      readonly cause?: unknown;
    }
  | { readonly kind: 'unknown'; readonly cause?: unknown };
