import { type SpamFinding, spamIn } from '../../../shared/compliance/spam-scan.ts';
import type { RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { type Content, contentOf } from '../../../shared/messages/content.ts';
import { addressKinds, type Recipient } from '../../../shared/messages/recipient.ts';
import type { SendContext } from '../../../shared/table/messages/send-store.ts';
import { isSendable } from '../../../shared/templates/template.ts';
import type { sendMessageContract } from './contract.ts';

export type Body = RequestOf<typeof sendMessageContract>['body'];

/** What is to be sent, and to whom. */
export interface CheckedSend extends Recipient {
  readonly content: Content;
  /** What the scan found. It has its turn only where neither the account nor the contact speaks against the send. */
  readonly spam: SpamFinding | undefined;
}

/**
 * What is to be sent once the request is in order; the first thing that is not is told.
 * @throws Fault
 */
export const checkedSend = (
  body: Body,
  recipient: Recipient | undefined,
  { settings, holder, template }: SendContext,
): CheckedSend => {
  const isUsable = template !== undefined && isSendable(template.template, body.channel);
  if (body.templateId && !isUsable)
    throw new Fault('template_not_found', 'templateId: no active template of this channel has this id');
  const content = contentOf(body.channel, body, template?.content, body.variables);
  if (!recipient) throw new Fault('invalid_recipient', `to: must be ${addressKinds[body.channel]}`);
  const isScanned = settings.status === 'active' && !holder?.isRetired;
  return { ...recipient, content, spam: isScanned ? spamIn(content) : undefined };
};
