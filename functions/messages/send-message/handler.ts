import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { acceptEmail } from '../../../shared/messages/accept.ts';
import { contentOf } from '../../../shared/messages/content.ts';
import type { Mail } from '../../../shared/messages/mail.ts';
import { recipientOf } from '../../../shared/messages/recipient.ts';
import { senderOf } from '../../../shared/messages/sender.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { Messages } from '../../../shared/table/message-storage.ts';
import type { Sends } from '../../../shared/table/send-storage.ts';
import type { sendMessageContract } from './contract.ts';
import { handOver } from './hand-over.ts';

export interface SendMessageNeeds {
  readonly sends: Sends;
  readonly messages: Messages;
  readonly email: EmailProvider;
  /** Where mail comes from when the sender's own domain is not verified. */
  readonly platformAddress: string;
}

/** Sends one email inside the request: accepted and paid for first, then handed over, then settled. */
export const sendMessage =
  ({ sends, messages, email, platformAddress }: SendMessageNeeds) =>
  async ({
    account,
    body,
    newId,
    nowMs,
  }: Input<typeof sendMessageContract>): Promise<Reply<typeof sendMessageContract>> => {
    if (body.templateId) throw new Fault('template_not_found', 'templateId: no template of this channel has this id');
    const to = recipientOf(body.channel, body.to);
    if (body.channel !== 'email')
      throw new Fault('send_blocked', `The channel ${body.channel} is not switched on here.`);

    const { settings, holder } = await sends.prepare(account, { email: to });
    if (settings.status === 'frozen') throw new Fault('send_blocked', 'The account is frozen.');

    const message = acceptEmail(body, newId);
    const acceptance = await sends.accept(account, message, { email: to }, holder);
    if (acceptance === 'retired') throw new Fault('send_blocked', 'The contact with this email is retired.');
    if (acceptance === 'unfunded') throw new Fault('insufficient_credits', 'The email credits cannot cover this send.');
    if (acceptance === 'exists') return (await messages.find(account, newId)) ?? message;

    const mail: Mail = {
      messageId: newId,
      accountId: account.id,
      from: senderOf(settings.email, body, platformAddress),
      to,
      replyTo: body.replyTo,
      attachments: (body.attachments ?? []).map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') })),
      ...contentOf(body, undefined, body.variables ?? {}),
    };
    return handOver({ messages, email }, { account, message, mail, nowMs });
  };
