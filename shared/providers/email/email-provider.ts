import type { Mail, MailOutcome } from '../../messages/mail.ts';

/** The port that email leaves by. */
export interface EmailProvider {
  send(mail: Mail): Promise<MailOutcome>;
}
