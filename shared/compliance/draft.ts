import type { AccountRef } from '../kit/account-ref.ts';
import { Fault } from '../kit/fault.ts';
import type { JsonText } from '../kit/json-text.ts';
import { type AttachedFile, type AttachmentNeeds, attachedFiles } from '../messages/attachment.ts';
import { type Content, contentOf } from '../messages/content.ts';
import { emailAddress, emailKind } from '../messages/email-address.ts';
import type { Mail } from '../messages/mail.ts';
import { checkMailSize } from '../messages/mail-size.ts';
import type { Channel } from '../messages/message.ts';
import { newEmail, newText } from '../messages/new-message.ts';
import { addressKinds, type Recipient, recipientOf } from '../messages/recipient.ts';
import { sendTimeIn } from '../messages/send-time.ts';
import { type PlatformAddresses, senderOf } from '../messages/sender.ts';
import { isSendable, type WholeTemplate } from '../templates/template.ts';
import type { Draft } from './gate.ts';
import type { SendContext } from './send-context.ts';
import { spamIn } from './spam-scan.ts';

/** What a caller asks to send, each field valid on its own. */
export interface SendBody extends Partial<Content> {
  readonly channel: Channel;
  readonly to: string;
  readonly from?: string | undefined;
  readonly fromName?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly listUnsubscribe?: boolean | undefined;
  readonly templateId?: string | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: JsonText | undefined;
  readonly attachments?: readonly AttachedFile[] | undefined;
  readonly expiresInSeconds?: number | undefined;
  readonly sendAt?: number | undefined;
}

/** All that a send has to know. */
export interface PreparedSend extends SendContext {
  readonly template: WholeTemplate | undefined;
}

export interface DraftNeeds {
  readonly sends: {
    read(
      account: AccountRef,
      wanted: {
        readonly channel: Channel;
        readonly contact?: Draft['contact'] | undefined;
        readonly templateId?: string | undefined;
      },
    ): Promise<PreparedSend>;
  };
}

interface Request {
  readonly account: AccountRef;
  readonly body: SendBody;
  /** The id of the message. */
  readonly newId: string;
  readonly nowMs: number;
}

/** A message as it would be accepted, with what it is judged by. */
export interface Drafted {
  readonly draft: Draft;
  readonly content: Content;
  readonly recipient: Recipient;
  readonly context: PreparedSend;
}

/**
 * Makes the message that a request asks for: its content is its own fields over its template's.
 * @throws Fault naming what is wrong with it
 */
export const draftFrom = async ({ sends }: DraftNeeds, { account, body, newId, nowMs }: Request): Promise<Drafted> => {
  const { channel, templateId } = body;
  const sendAt = body.sendAt === undefined ? undefined : sendTimeIn(body.sendAt, nowMs);
  const recipient = recipientOf(channel, body.to);
  const context = await sends.read(account, { channel, contact: recipient?.contact, templateId });
  const content = checkedContent(body, context);
  if (!recipient)
    throw new Fault(
      'invalid_recipient',
      `to: must be ${channel === 'email' ? emailKind(body.to) : addressKinds[channel]}`,
    );
  const draft = draftOf({ ...body, sendAt }, { newId, nowMs }, recipient, content, context);
  return { draft, content, recipient, context };
};

const checkedContent = (body: SendBody, { template }: PreparedSend): Content => {
  const isUsable = template !== undefined && isSendable(template.template, body.channel);
  if (body.templateId !== undefined && !isUsable)
    throw new Fault('template_not_found', 'templateId: no active template of this channel has this id');
  return contentOf(body.channel, body, template?.content, body.variables);
};

const draftOf = (
  body: SendBody,
  { newId, nowMs }: Pick<Request, 'newId' | 'nowMs'>,
  { contact }: Recipient,
  content: Content,
  { settings }: PreparedSend,
): Draft => {
  // The id can be up to a day old: that of the first request with this Idempotency-Key.
  const { channel, sendAt = nowMs, expiresInSeconds } = body;
  const spam = spamIn(content);
  if (channel === 'email') return { message: newEmail(body, newId), contact, spam };
  const { text = '' } = content;
  const message = newText({ ...body, channel }, newId, text, settings.sms.senderKind);
  const expiresMs = expiresInSeconds && sendAt + expiresInSeconds * 1_000;
  return { message, contact, text, expiresMs, spam };
};

export interface MailNeeds extends AttachmentNeeds, PlatformAddresses {
  readonly messageLinks: {
    urlFor(kind: 'unsubscribe', account: AccountRef, messageId: string): Promise<string>;
  };
}

/**
 * The mail of a drafted email, with its files.
 * @throws Fault when a file is not there, or the mail is too large
 */
export const mailOf = async (
  { messageLinks, platformAddress, peopleAddress, ...files }: MailNeeds,
  { account, body, newId, nowMs }: Request,
  { recipient, content, context: { settings } }: Drafted,
): Promise<Mail> => {
  const attachments = await attachedFiles(files)(account, body.attachments, nowMs);
  checkMailSize(content, attachments);
  const hasUnsubscribeLink = body.listUnsubscribe ?? settings.email.listUnsubscribe;
  return {
    messageId: newId,
    accountId: account.id,
    from: senderOf(settings.email, body, { platformAddress, peopleAddress }),
    to: recipient.address,
    replyTo: body.replyTo && emailAddress(body.replyTo),
    attachments,
    unsubscribeUrl: hasUnsubscribeLink ? await messageLinks.urlFor('unsubscribe', account, newId) : undefined,
    ...content,
  };
};
