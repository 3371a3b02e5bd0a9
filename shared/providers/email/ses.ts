import { setTimeout as sleep } from 'node:timers/promises';
import { fateOf } from '../../aws/aws-call.ts';
import { pauseAfter } from '../../aws/aws-retry.ts';
import { Unavailable } from '../../kit/fault.ts';
import type { Mail, MailOutcome } from '../../messages/mail.ts';
import type { EmailProvider } from './email-provider.ts';
import { mimeOf } from './mime.ts';
import type { SesCall } from './ses-call.ts';
import { isSuspended, reportRefusal } from './ses-refusals.ts';

/** When to ask again: while the sending rate is exceeded, and while sending is paused. */
const [turnSeconds, pausedSeconds] = [1, 60];
const tries = 3;
const firstPauseMs = 100;

/** SES's error codes for a mail that it will never accept. Its other refusals concern the platform's own account. */
const finalErrors = new Set([
  'MessageRejected',
  'MailFromDomainNotVerifiedException',
  'MailFromDomainNotVerified',
  'InvalidParameterValue',
]);

/** For all attempts together, including reading the answer. */
const answerWithinMs = 8_000;

/**
 * No wait for the sending rate is longer. A function has 25 s, of which putting a message off, or withdrawing it, may take 9 s.
 */
const rateWithinMs = 10_000;

/** The others wait for up to 200 ms between two tries, and up to 60 emails that were put off try at the same time. */
const urgentPauseMs = 10;

interface Wishes {
  /** Sets where SES publishes mail events; without one SES publishes none. */
  readonly configurationSet?: string;
  readonly answerWithinMs?: number;
  readonly rateWithinMs?: number;
}

/**
 * SES `SendRawEmail`. SES has no idempotency token, so a call is retried only when SES certainly accepted nothing: it refused,
 * or was not reached. While the account's sending rate is exceeded, the mail waits for its turn; one that is urgent asks for it more often.
 */
export const sesProvider = (sendRaw: SesCall, wishes: Wishes = {}): EmailProvider => {
  const hand = async (mail: Mail, raw: Buffer, abortSignal: AbortSignal): Promise<MailOutcome> => {
    try {
      const tags = { accountId: mail.accountId, messageId: mail.messageId };
      const { configurationSet } = wishes;
      const reference = await sendRaw(
        { source: mail.from.address, destination: mail.to, raw, configurationSet, tags },
        abortSignal,
      );
      return { kind: 'accepted', reference };
    } catch (thrown) {
      return outcomeOf(thrown);
    }
  };

  return {
    send: async (mail, waitMs = Number.POSITIVE_INFINITY) => {
      const raw = mimeOf(mail);
      const attempt = async (deadline: AbortSignal, nth: number): Promise<MailOutcome> => {
        const outcome = await hand(mail, raw, deadline);
        if (outcome.kind !== 'unavailable' || outcome.retryAfterSeconds !== undefined || nth >= tries) return outcome;
        await sleep(firstPauseMs * 4 ** (nth - 1));
        return attempt(deadline, nth + 1);
      };
      const lastBeginMs = performance.now() + Math.min(waitMs, wishes.rateWithinMs ?? rateWithinMs);
      for (let turn = 1; ; turn += 1) {
        const outcome = await attempt(AbortSignal.timeout(wishes.answerWithinMs ?? answerWithinMs), 1);
        if (!isRateExceeded(outcome) || performance.now() > lastBeginMs) {
          reportRefusal(mail, outcome);
          return outcome;
        }
        await (mail.isUrgent ? sleep(urgentPauseMs) : pauseAfter(turn));
      }
    },
  };
};

const isRateExceeded = (outcome: MailOutcome): boolean => outcome.kind === 'unavailable' && outcome.isBusy === true;

const outcomeOf = (thrown: unknown): MailOutcome => {
  if (!(thrown instanceof Error)) throw thrown;
  // The time of the request was over before the call.
  if (thrown instanceof Unavailable) return { kind: 'unavailable', cause: thrown };
  // By `npm run sending -- pause`, for the whole account, or by AWS.
  if (thrown.name.includes('SendingPaused') || isSuspended(thrown))
    return { kind: 'unavailable', retryAfterSeconds: pausedSeconds, cause: thrown };
  if (finalErrors.has(thrown.name))
    return { kind: 'refused', code: thrown.name, reason: thrown.message, cause: thrown };
  // "Maximum sending rate exceeded." The daily quota has the same code.
  if (thrown.name === 'Throttling' && /\brate\b/i.test(thrown.message))
    return { kind: 'unavailable', isBusy: true, retryAfterSeconds: turnSeconds, cause: thrown };
  const fate = fateOf(thrown);
  return fate === 'accepted' ? { kind: fate } : { kind: fate, cause: thrown };
};
