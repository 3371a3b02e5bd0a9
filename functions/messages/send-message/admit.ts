import { blockOf, type GateFacts } from '../../../shared/compliance/gate.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import { type AcceptedMessage, newEmail, newText } from '../../../shared/messages/new-message.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { SendContext, SendStore } from '../../../shared/table/messages/send-store.ts';
import type { TextAcceptance } from '../../../shared/table/messages/text-acceptance.ts';
import type { Body, CheckedSend } from './checked-send.ts';

interface Admission extends CheckedSend {
  readonly account: AccountRef;
  readonly body: Body;
  readonly context: SendContext;
  readonly newId: string;
  readonly isResumed?: boolean | undefined;
  readonly nowMs: number;
}

interface Needs {
  readonly sends: SendStore;
  readonly messages: Pick<MessageStore, 'withdraw'>;
}

interface Admitted {
  readonly message: AcceptedMessage;
  readonly acceptance: TextAcceptance;
}

/** Puts a message on the account's books, paid for, unless something speaks against it. */
export const admit = async (needs: Needs, admission: Admission): Promise<Admitted> => {
  const { account, body, context, contact, content, spam, newId, nowMs } = admission;
  if (body.channel === 'email' || 'email' in contact) return admitEmail(needs, admission);
  const { text = '' } = content;
  const message = newText({ ...body, channel: body.channel }, newId, text, context.settings.sms.senderKind);
  const send = { message, text, phone: contact.phone, spam };
  return { message, acceptance: await needs.sends.acceptText(account, send, context, nowMs) };
};

/** Nothing that is known of a contact keeps an email from it, but that it is retired. */
const unknown = {
  contactStatus: undefined,
  consent: undefined,
  isConsentLater: false,
  quietUntilMs: undefined,
  capFreeAtMs: undefined,
  windowOpenUntilMs: undefined,
} as const satisfies Partial<GateFacts>;

/** While the email was being accepted. */
const retiredSince = { blocked: 'The contact with this email is retired.' };

/**
 * An email whose acceptance got no answer may be on the books, and a retry could not know whether it has left. This run knows that it has not,
 * so it takes the email back. A run that resumes an earlier one does not know that, and leaves it to the watch over sends.
 */
const admitEmail = async (
  { sends, messages }: Needs,
  { account, body, context: { settings, holder }, contact, spam, newId, isResumed, nowMs }: Admission,
): Promise<Admitted> => {
  const message = newEmail(body, newId);
  const isRetired = holder?.isRetired === true;
  const reason = blockOf({ ...unknown, channel: 'email', accountStatus: settings.status, isRetired, spam, nowMs });
  if (reason !== undefined) return { message, acceptance: { blocked: reason } };
  const acceptance = await sends.accept(account, message, contact, holder).catch(async (thrown: unknown) => {
    if (!isResumed) await messages.withdraw(account, message).catch(leaveToWatch);
    throw thrown;
  });
  return { message, acceptance: acceptance === 'retired' ? retiredSince : acceptance };
};

const leaveToWatch = (thrown: unknown): void =>
  log('error', 'a message of unknown acceptance could not be taken back', { ...causeOf(thrown) });
