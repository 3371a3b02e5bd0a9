import { accept } from '../../../shared/compliance/accept.ts';
import type { Block, Draft } from '../../../shared/compliance/gate.ts';
import { spamIn } from '../../../shared/compliance/spam-scan.ts';
import { addStrike } from '../../../shared/contacts/strikes.ts';
import type { Input, Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { timeOfId } from '../../../shared/kit/id.ts';
import { log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import { filesOf } from '../../../shared/messages/attachment.ts';
import { type Content, contentOf } from '../../../shared/messages/content.ts';
import type { Mail } from '../../../shared/messages/mail.ts';
import type { MessageLinks } from '../../../shared/messages/message-link.ts';
import { newEmail, newText, type Price } from '../../../shared/messages/new-message.ts';
import { addressKinds, emailAddress, type Recipient, recipientOf } from '../../../shared/messages/recipient.ts';
import { sendMail } from '../../../shared/messages/send-mail.ts';
import { senderOf } from '../../../shared/messages/sender.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { StrikeStore } from '../../../shared/table/contacts/strike-store.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { PreparedSend, SendStore } from '../../../shared/table/messages/send-store.ts';
import { isSendable } from '../../../shared/templates/template.ts';
import type { sendMessageContract } from './contract.ts';

export interface SendMessageNeeds {
  readonly sends: SendStore;
  readonly contacts: Pick<ContactStore, 'find' | 'change'>;
  readonly strikes: StrikeStore;
  readonly messages: MessageStore;
  readonly email: EmailProvider;
  readonly messageLinks: MessageLinks;
  /** The sender's address when the account's own domain is not verified. */
  readonly platformAddress: string;
  readonly clock: Clock;
}

type Body = RequestOf<typeof sendMessageContract>['body'];

/** Accepts a message. An email is then sent within the request; a text is queued by the table's stream, and a worker sends it. */
export const sendMessage =
  (needs: SendMessageNeeds) =>
  async ({
    account,
    body,
    newId,
    nowMs,
    isResumed = false,
  }: Input<typeof sendMessageContract>): Promise<Reply<typeof sendMessageContract>> => {
    const { sends, messages } = needs;
    const earlier = isResumed && (await messages.find(account, newId, body.channel));
    if (earlier) return earlier;

    const { channel, templateId } = body;
    const recipient = recipientOf(channel, body.to);
    const context = await sends.read(account, { channel, contact: recipient?.contact, templateId });
    const content = checkedContent(body, context);
    if (!recipient) throw new Fault('invalid_recipient', `to: must be ${addressKinds[channel]}`);

    const draft = draftOf(newId, body, recipient, content, context);
    const isOnlySender = channel === 'email' && !isResumed;
    const acceptance = await accept(needs, { account, draft, context, nowMs, isOnlySender });
    if (acceptance === 'exists') return (await messages.find(account, newId, channel)) ?? draft.message;
    if (acceptance === 'unfunded') throw unfunded(account, draft.message.price);
    if (acceptance !== 'accepted') throw await blocked(needs, acceptance.blocked, { account, newId, context, nowMs });
    if (channel !== 'email') return draft.message;

    const mail = await mailOf(needs, { account, newId, body, recipient, content, context });
    return sendMail(needs, { account, message: draft.message, mail });
  };

/**
 * The message's content: its own fields over its template's.
 * @throws Fault
 */
const checkedContent = (body: Body, { template }: PreparedSend): Content => {
  const isUsable = template !== undefined && isSendable(template.template, body.channel);
  if (body.templateId && !isUsable)
    throw new Fault('template_not_found', 'templateId: no active template of this channel has this id');
  return contentOf(body.channel, body, template?.content, body.variables);
};

const draftOf = (
  newId: string,
  body: Body,
  { contact }: Recipient,
  content: Content,
  { settings }: PreparedSend,
): Draft => {
  const { channel } = body;
  const spam = spamIn(content);
  if (channel === 'email') return { message: newEmail(body, newId), contact, spam };
  const { text = '' } = content;
  const message = newText({ ...body, channel }, newId, text, settings.sms.senderKind);
  const { expiresInSeconds } = body;
  const expiresMs = expiresInSeconds && timeOfId(newId) + expiresInSeconds * 1_000;
  return { message, contact, text, expiresMs, spam };
};

/** An alarm reads the line. */
const unfunded = ({ id }: AccountRef, { counter, credits }: Price): Fault => {
  log('warn', 'an account is out of credits', { account: id, counter, outOfCredits: true });
  return new Fault('insufficient_credits', `This send costs ${credits} ${counter} credits; the account has fewer.`);
};

interface BlockedSend {
  readonly account: AccountRef;
  readonly newId: string;
  readonly context: PreparedSend;
  readonly nowMs: number;
}

/** Spam counts against its contact. */
const blocked = async (needs: SendMessageNeeds, { by, reason }: Block, send: BlockedSend): Promise<Fault> => {
  const { account, newId, context, nowMs } = send;
  if (by === 'spam' && context.holder) await addStrike(needs, account, context.holder.contactId, newId, nowMs);
  return new Fault('send_blocked', reason);
};

interface AcceptedEmail extends Pick<BlockedSend, 'account' | 'newId' | 'context'> {
  readonly body: Body;
  readonly recipient: Recipient;
  readonly content: Content;
}

const mailOf = async (
  { messageLinks, platformAddress }: SendMessageNeeds,
  { account, newId, body, recipient, content, context: { settings } }: AcceptedEmail,
): Promise<Mail> => {
  const hasUnsubscribeLink = body.listUnsubscribe ?? settings.email.listUnsubscribe;
  return {
    messageId: newId,
    accountId: account.id,
    from: senderOf(settings.email, body, platformAddress),
    to: recipient.address,
    replyTo: body.replyTo && emailAddress(body.replyTo),
    attachments: filesOf(body.attachments),
    unsubscribeUrl: hasUnsubscribeLink ? await messageLinks.urlFor('unsubscribe', account, newId) : undefined,
    ...content,
  };
};
