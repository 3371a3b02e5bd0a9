import type { RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { type Content, contentOf } from '../../../shared/messages/content.ts';
import { addressKinds, type Recipient } from '../../../shared/messages/recipient.ts';
import type { SendContext } from '../../../shared/table/send-storage.ts';
import { isSendable } from '../../../shared/templates/template.ts';
import type { sendMessageContract } from './contract.ts';

type Body = RequestOf<typeof sendMessageContract>['body'];

/**
 * What is to be sent, and to whom, once nothing speaks against it; the first thing that does is told.
 * @throws Fault
 */
export const checkedSend = (
  body: Body,
  recipient: Recipient | undefined,
  { settings, template }: SendContext,
): Recipient & { readonly content: Content } => {
  const isUsable = template !== undefined && isSendable(template.template, body.channel);
  if (body.templateId && !isUsable)
    throw new Fault('template_not_found', 'templateId: no active template of this channel has this id');
  const content = contentOf(body.channel, body, template?.content, body.variables);
  if (!recipient) throw new Fault('invalid_recipient', `to: must be ${addressKinds[body.channel]}`);
  if (body.channel !== 'email') throw new Fault('send_blocked', `The channel ${body.channel} is not switched on here.`);
  if (settings.status === 'frozen') throw new Fault('send_blocked', 'The account is frozen.');
  return { ...recipient, content };
};
