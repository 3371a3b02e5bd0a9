import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { acceptEmail } from '../../../shared/messages/accept.ts';
import { filesOf } from '../../../shared/messages/attachment.ts';
import type { Mail } from '../../../shared/messages/mail.ts';
import { emailAddress, recipientOf } from '../../../shared/messages/recipient.ts';
import { senderOf } from '../../../shared/messages/sender.ts';
import type { UnsubscribeLinks } from '../../../shared/messages/unsubscribe-link.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { Messages } from '../../../shared/table/message-storage.ts';
import type { Sends } from '../../../shared/table/send-storage.ts';
import { checkedSend } from './checked-send.ts';
import type { sendMessageContract } from './contract.ts';
import { handOver } from './hand-over.ts';

export interface SendMessageNeeds {
  readonly sends: Sends;
  readonly messages: Messages;
  readonly email: EmailProvider;
  readonly unsubscribeLinks: UnsubscribeLinks;
  /** Where mail comes from when the sender's own domain is not verified. */
  readonly platformAddress: string;
}

const refusals = {
  retired: { code: 'send_blocked', text: 'The contact with this email is retired.' },
  unfunded: { code: 'insufficient_credits', text: 'The email credits cannot cover this send.' },
} as const;

/** Sends one email inside the request: accepted and paid for first, then handed over, then settled. */
export const sendMessage =
  ({ sends, messages, email, unsubscribeLinks, platformAddress }: SendMessageNeeds) =>
  async ({
    account,
    body,
    newId,
    nowMs,
  }: Input<typeof sendMessageContract>): Promise<Reply<typeof sendMessageContract>> => {
    const recipient = recipientOf(body.channel, body.to);
    const context = await sends.prepare(account, recipient?.contact, body.templateId);
    const { address, contact, content } = checkedSend(body, recipient, context);

    const message = acceptEmail(body, newId);
    const acceptance = await sends.accept(account, message, contact, context.holder);
    if (acceptance === 'exists') return (await messages.find(account, newId)) ?? message;
    if (acceptance !== 'accepted') {
      const { code, text } = refusals[acceptance];
      throw new Fault(code, text);
    }

    const mail: Mail = {
      messageId: newId,
      accountId: account.id,
      from: senderOf(context.settings.email, body, platformAddress),
      to: address,
      replyTo: body.replyTo && emailAddress(body.replyTo),
      attachments: filesOf(body.attachments),
      unsubscribeUrl: await unsubscribeLinks.urlFor(account, newId),
      ...content,
    };
    return handOver({ messages, email }, { account, message, mail, nowMs });
  };
