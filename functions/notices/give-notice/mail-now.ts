import { InternalError } from '../../../shared/kit/internal-error.ts';
import type { Mail } from '../../../shared/messages/mail.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';

/**
 * Sends a mail of the platform's own.
 * @throws InternalError while the provider takes none: the job comes back
 */
export const mailNow = async (email: EmailProvider, mail: Mail): Promise<void> => {
  const { kind } = await email.send(mail);
  if (kind === 'unavailable') throw new InternalError('the email provider is unavailable', { mail: mail.messageId });
};
