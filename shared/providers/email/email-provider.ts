import type { Mail, MailOutcome } from '../../messages/mail.ts';

/** The interface of email adapters. */
export interface EmailProvider {
  send(mail: Mail): Promise<MailOutcome>;
}
