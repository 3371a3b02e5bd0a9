import type { AccountRef } from '../kit/account-ref.ts';
import { Unavailable } from '../kit/fault.ts';
import { InternalError } from '../kit/internal-error.ts';
import { causeOf, log } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';
import type { Mail, MailOutcome } from './mail.ts';
import type { Channel } from './message.ts';
import type { Trigger } from './moves.ts';
import type { AcceptedMessage } from './new-message.ts';

interface Messages {
  find(account: AccountRef, id: string, channel: Channel): Promise<AcceptedMessage | undefined>;
  move(
    account: AccountRef,
    message: AcceptedMessage,
    trigger: Trigger,
    nowMs: number,
    reference?: string,
  ): Promise<AcceptedMessage | undefined>;
  fail(
    account: AccountRef,
    message: AcceptedMessage,
    trigger: Trigger,
    failure: { readonly code: string; readonly reason: string },
    nowMs: number,
  ): Promise<boolean>;
  withdraw(account: AccountRef, message: AcceptedMessage): Promise<boolean>;
}

interface Needs {
  readonly messages: Messages;
  readonly email: { send(mail: Mail): Promise<MailOutcome> };
  /** Asked when the provider has answered. */
  readonly clock: Clock;
}

interface SendMail {
  readonly account: AccountRef;
  readonly message: AcceptedMessage;
  readonly mail: Mail;
}

/**
 * Sends an accepted mail by the provider, once, and records the outcome. A mail whose outcome is unknown stays `sending`:
 * a notification moves it on, or `end-interrupted-send` ends it.
 * @throws Unavailable when the provider's sending rate is exceeded, and InternalError when it cannot be reached: the message is withdrawn
 * and its credit given back; a contact that was created for it stays
 */
export const sendMail = async (
  { messages, email, clock }: Needs,
  { account, message, mail }: SendMail,
): Promise<AcceptedMessage> => {
  const outcome = await email.send(mail);
  const nowMs = clock();
  switch (outcome.kind) {
    case 'accepted':
      return moveToSent(messages, account, message, nowMs, outcome.reference);
    case 'refused':
      await messages.fail(account, message, 'providerRefused', outcome, nowMs);
      return (await messages.find(account, message.id, message.channel)) ?? message;
    case 'unknown':
      return message;
    case 'unavailable':
      await messages.withdraw(account, message);
      if (outcome.retryAfterSeconds !== undefined)
        throw new Unavailable("the email provider's sending rate is exceeded", outcome);
      throw new InternalError('the email provider is unavailable', { messageId: message.id });
  }
};

/** The mail has been sent. An error here would make the caller send it again, so it is only logged. */
const moveToSent = async (
  messages: Messages,
  account: AccountRef,
  message: AcceptedMessage,
  nowMs: number,
  reference: string | undefined,
) => {
  try {
    const moved = await messages.move(account, message, 'providerAccepted', nowMs, reference);
    return moved ?? (await messages.find(account, message.id, message.channel)) ?? message;
  } catch (thrown) {
    log('error', 'a sent message could not be marked', { messageId: message.id, ...causeOf(thrown) });
    return message;
  }
};
