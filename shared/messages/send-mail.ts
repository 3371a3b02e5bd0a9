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
  withdraw(account: AccountRef, message: AcceptedMessage, run: string): Promise<boolean>;
}

export interface SubmitMailNeeds {
  readonly messages: Omit<Messages, 'withdraw'>;
  readonly email: { send(mail: Mail): Promise<MailOutcome> };
  /** Asked when the provider has answered. */
  readonly clock: Clock;
}

interface SendMail {
  readonly account: AccountRef;
  readonly message: AcceptedMessage;
  readonly mail: Mail;
}

interface SendMailOnce extends SendMail {
  /** The run that sends it. */
  readonly run: string;
}

export interface SendMailNeeds extends SubmitMailNeeds {
  readonly messages: Messages;
  readonly sends: {
    putOff(account: AccountRef, order: Omit<SendMailOnce, 'account'>, nowMs: number): Promise<boolean>;
  };
}

/** The message with the recorded outcome; or the provider has taken nothing, and may another time. */
type Submitted =
  | { readonly kind: 'recorded'; readonly message: AcceptedMessage }
  | Extract<MailOutcome, { readonly kind: 'unavailable' }>;

/**
 * Submits an accepted mail to the provider, once, and records the outcome. A mail whose outcome is unknown stays `sending`:
 * a notification moves it on, or `end-interrupted-send` ends it.
 */
export const submitMail = async (
  { messages, email, clock }: SubmitMailNeeds,
  { account, message, mail }: SendMail,
): Promise<Submitted> => {
  const outcome = await email.send(mail);
  const nowMs = clock();
  switch (outcome.kind) {
    case 'accepted':
      return recorded(await moveToSent(messages, account, message, nowMs, outcome.reference));
    case 'refused':
      await messages.fail(account, message, 'providerRefused', outcome, nowMs);
      return recorded((await messages.find(account, message.id, message.channel)) ?? message);
    case 'unknown':
      return recorded(message);
    case 'unavailable':
      return outcome;
  }
};

const recorded = (message: AcceptedMessage): Submitted => ({ kind: 'recorded', message });

type Unsent = Exclude<Submitted, { readonly kind: 'recorded' }>;

/**
 * Sends an accepted mail within the run. While the provider's sending rate is exceeded, the message is `queued` for a worker.
 * @throws Unavailable when sending is paused, or a busy provider's email could not be put off, and InternalError when the provider cannot be
 * reached: the message is withdrawn and its credit given back; a contact that was created for it stays
 */
export const sendMail = async (needs: SendMailNeeds, { account, ...order }: SendMailOnce): Promise<AcceptedMessage> => {
  const { message } = order;
  const outcome = await submitMail(needs, { account, ...order });
  if (outcome.kind === 'recorded') return outcome.message;
  try {
    if (outcome.isBusy && (await needs.sends.putOff(account, order, needs.clock())))
      return { ...message, status: 'queued' };
  } catch (thrown) {
    log('error', 'it is unknown whether an email was put off', { messageId: message.id, ...causeOf(thrown) });
  }
  return withdrawn(needs, { account, ...order }, outcome);
};

/** Nothing is undone of a message that has moved on, or that was put off although the answer was lost: then it has no run. */
const withdrawn = async (
  { messages }: Pick<SendMailNeeds, 'messages'>,
  { account, message, run }: SendMailOnce,
  { cause, retryAfterSeconds }: Unsent,
): Promise<AcceptedMessage> => {
  const isUndone = await messages.withdraw(account, message, run);
  const there = isUndone ? undefined : await messages.find(account, message.id, message.channel);
  if (there) return there;
  if (retryAfterSeconds !== undefined)
    throw new Unavailable('the email provider takes no more emails now', { cause, retryAfterSeconds, isUndone });
  throw new InternalError('the email provider is unavailable', { messageId: message.id }, { cause, isUndone });
};

/** The mail has been sent. An error here would make the caller send it again, so it is only logged. */
const moveToSent = async (
  messages: Pick<Messages, 'find' | 'move'>,
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
