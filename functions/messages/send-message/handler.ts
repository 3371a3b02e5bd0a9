import type { Input, Reply } from '../../../shared/http/contract.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import { filesOf } from '../../../shared/messages/attachment.ts';
import type { Mail } from '../../../shared/messages/mail.ts';
import type { MessageLinks } from '../../../shared/messages/message-link.ts';
import type { AcceptedMessage } from '../../../shared/messages/new-message.ts';
import { emailAddress, recipientOf } from '../../../shared/messages/recipient.ts';
import { sendMail } from '../../../shared/messages/send-mail.ts';
import { senderOf } from '../../../shared/messages/sender.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { StrikeStore } from '../../../shared/table/contacts/strike-store.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { SendStore } from '../../../shared/table/messages/send-store.ts';
import { admit } from './admit.ts';
import { checkedSend } from './checked-send.ts';
import type { sendMessageContract } from './contract.ts';

export interface SendMessageNeeds {
  readonly sends: SendStore;
  readonly strikes: StrikeStore;
  readonly messages: MessageStore;
  readonly email: EmailProvider;
  readonly messageLinks: MessageLinks;
  /** Where mail comes from when the sender's own domain is not verified. */
  readonly platformAddress: string;
  readonly clock: Clock;
}

/** An email is sent inside the request: accepted and paid for first, then handed over, then settled. A text is accepted and left to a worker. */
export const sendMessage = ({
  sends,
  strikes,
  messages,
  email,
  messageLinks,
  platformAddress,
  clock,
}: SendMessageNeeds) => {
  const unsubscribeUrl = (isWanted: boolean, account: AccountRef, id: string) =>
    isWanted ? messageLinks.urlFor('unsubscribe', account, id) : undefined;

  return async ({
    account,
    body,
    newId,
    nowMs,
    isResumed,
  }: Input<typeof sendMessageContract>): Promise<Reply<typeof sendMessageContract>> => {
    const begun = isResumed && (await messages.find(account, newId));
    if (begun) return begun;

    const recipient = recipientOf(body.channel, body.to);
    const context = await sends.prepare(account, recipient?.contact, body);
    const checked = checkedSend(body, recipient, context);
    if (checked.spam && context.holder) await strikes.add(account, context.holder.contactId, newId, nowMs);

    const { message, acceptance } = await admit(
      { sends, messages },
      { account, body, context, newId, isResumed, nowMs, ...checked },
    );
    if (acceptance === 'exists') return (await messages.find(account, newId)) ?? message;
    if (acceptance !== 'accepted') throw refusal(message, acceptance);
    if (message.channel !== 'email') return message;

    const mail: Mail = {
      messageId: newId,
      accountId: account.id,
      from: senderOf(context.settings.email, body, platformAddress),
      to: checked.address,
      replyTo: body.replyTo && emailAddress(body.replyTo),
      attachments: filesOf(body.attachments),
      unsubscribeUrl: await unsubscribeUrl(
        body.listUnsubscribe ?? context.settings.email.listUnsubscribe,
        account,
        newId,
      ),
      ...checked.content,
    };
    return sendMail({ messages, email, clock }, { account, message, mail });
  };
};

const refusal = ({ price }: AcceptedMessage, why: 'unfunded' | { readonly blocked: string }): Fault =>
  why === 'unfunded'
    ? new Fault(
        'insufficient_credits',
        `The ${price.counter} credits cannot cover this send, which takes ${price.credits}.`,
      )
    : new Fault('send_blocked', why.blocked);
