import type { Mail, MailOutcome } from '../../messages/mail.ts';

/** The interface of email adapters. */
export interface EmailProvider {
  /** `waitMs`: how long it may wait at most for its turn, while the sending rate is exceeded. */
  send(mail: Mail, waitMs?: number): Promise<MailOutcome>;
}
