import { randomUUID } from 'node:crypto';
import { accountOfJob } from '../../../shared/accounts/job-account.ts';
import type { Queue } from '../../../shared/aws/queue.ts';
import { type Draft, judge } from '../../../shared/compliance/gate.ts';
import type { SendContext } from '../../../shared/compliance/send-context.ts';
import { spamIn } from '../../../shared/compliance/spam-scan.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';
import { causeOf, log } from '../../../shared/kit/log.ts';
import { type Clock, delayUntil } from '../../../shared/kit/time.ts';
import {
  blockedAtItsTime,
  type Failure,
  failures,
  isExpired,
  reportPatienceMs,
} from '../../../shared/messages/failures.ts';
import type { ScheduledJob, ScheduledJobOf } from '../../../shared/messages/jobs.ts';
import { isUnsent } from '../../../shared/messages/message.ts';
import { recipientOf } from '../../../shared/messages/recipient.ts';
import { submitMail } from '../../../shared/messages/send-mail.ts';
import { type PlatformAddresses, verifiedStill } from '../../../shared/messages/sender.ts';
import { hasStep } from '../../../shared/messages/timeline.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { StoredMessage } from '../../../shared/table/messages/message-items.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { ScheduledMessage, ScheduledStore } from '../../../shared/table/messages/scheduled-store.ts';
import type { SendContextStore } from '../../../shared/table/messages/send-context-store.ts';
import type { UnreportedStore } from '../../../shared/table/messages/unreported-store.ts';

export interface SendDueNeeds extends PlatformAddresses {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly messages: Pick<MessageStore, 'find' | 'move' | 'fail'>;
  readonly scheduled: Pick<
    ScheduledStore,
    'find' | 'reschedule' | 'handOver' | 'begin' | 'putBack' | 'fail' | 'lookAgain' | 'retire'
  >;
  readonly unreported: Pick<UnreportedStore, 'markOne'>;
  readonly sends: SendContextStore;
  readonly email: EmailProvider;
  readonly scheduledQueue: Queue<ScheduledJob>;
  readonly clock: Clock;
}

/** A job that comes earlier than this was queued for another time, from which the message was moved. */
const mostEarlyMs = 60_000;
/** The wait between two attempts while the provider takes no email: a tenth of what it has waited since its time, within these bounds. */
const [leastRetryMs, mostRetryMs] = [60_000, 5 * 60_000];
/** An email that has waited longer for its provider raises an alarm: nobody sees that it waits, and after a day it ends. */
const alarmingMs = 15 * 60_000;
/** Attempts end this long after the message's time, but one is made after that, because sending may have been paused. */
const patienceMs = 24 * 3_600_000;

/** The hourly round looks for texts without a report by the day of their creation: those that waited for less than this. */
const roundFindsMs = 12 * 3_600_000;

/** A worker has tried it before. Emails that the release before this one put off are `sending`. */
const wasTried = (message: StoredMessage): boolean => message.status === 'sending' || hasStep(message, 'pickedUp');

/** What is left to do. `later`: nothing now, because the message waits, or a run is at work on it. */
type Next = 'over' | 'later' | 'again';

/**
 * Sends a message whose time has come, unless a rule blocks it now. A text goes to the worker of its channel; an email is claimed and sent here. Any
 * job may come again at any time: it does nothing twice.
 */
export const sendDue = (needs: SendDueNeeds) => {
  const { accounts, scheduled, sends, unreported, scheduledQueue, clock } = needs;

  const end = async (account: AccountRef, { message }: ScheduledMessage, failure: Failure): Promise<Next> => {
    await scheduled.fail(account, message, failure, clock());
    return 'again';
  };

  const submit = async (account: AccountRef, found: ScheduledMessage): Promise<Next> => {
    const { message, mail, dueMs } = found;
    if (!mail) throw new InternalError('the content of a scheduled email is gone', { messageId: message.id });
    const token = randomUUID();
    if (!(await scheduled.begin(account, message, token, clock()))) return 'again';
    const outcome = await submitMail(needs, { account, message, mail });
    if (outcome.kind === 'recorded') return 'over';
    const nowMs = clock();
    const lateMs = nowMs - dueMs;
    const retryMs = Math.min(Math.max(Math.round(lateMs / 10), leastRetryMs), mostRetryMs);
    await scheduled.putBack(account, message, token, { nowMs, nextMs: nowMs + retryMs });
    const isAlarming = lateMs > alarmingMs;
    log(isAlarming ? 'error' : 'warn', 'the email provider took no scheduled email', {
      messageId: message.id,
      ...(isAlarming && { mailRefused: true }),
      ...(outcome.cause !== undefined && causeOf(outcome.cause)),
    });
    const isGivenUp = wasTried(message) && lateMs > patienceMs;
    return isGivenUp ? end(account, found, failures.unavailable) : 'later';
  };

  /** A text that its worker has. If it waited long for its time, it is looked at again when its report must have come. */
  const awaitReport = async (account: AccountRef, message: StoredMessage): Promise<Next> => {
    const { id, createdAt, scheduledAt = createdAt, sentAt, status } = message;
    if (Date.parse(scheduledAt) - Date.parse(createdAt) < roundFindsMs) return 'over';
    // It may wait for its turn for days, or while all sending is paused.
    const reportDueMs = (isUnsent(status) ? clock() : Date.parse(sentAt ?? scheduledAt)) + reportPatienceMs;
    if (clock() < reportDueMs) {
      await scheduled.lookAgain(account, id, reportDueMs);
      return 'later';
    }
    await unreported.markOne(account, message, clock());
    return 'over';
  };

  const judgeAndSend = async (
    account: AccountRef,
    draft: Draft,
    found: ScheduledMessage,
    context: SendContext,
  ): Promise<Next> => {
    const verdict = judge(draft, context, clock());
    if ('slot' in verdict) {
      if (found.mail) {
        const mail = verifiedStill(found.mail, context.settings.email, needs);
        return submit(account, { ...found, mail });
      }
      const outcome = await scheduled.handOver(account, { ...draft, message: found.message }, context, verdict.slot);
      return outcome === 'handed over' ? awaitReport(account, found.message) : 'again';
    }
    const { by, reason, retryAtMs } = verdict.blocked;
    if (by !== 'quiet-hours' || retryAtMs === undefined) return end(account, found, blockedAtItsTime(reason));
    return (await scheduled.reschedule(account, found.message, retryAtMs)) ? 'later' : 'again';
  };

  /** A message that waits, and is not cancelled. */
  const attemptWaiting = async (
    account: AccountRef,
    found: ScheduledMessage,
    job: ScheduledJobOf<'send'>,
  ): Promise<Next> => {
    const { message, text, mail, dueMs } = found;
    const { channel, to } = message;
    const nowMs = clock();
    if (nowMs < dueMs) {
      if (dueMs - nowMs < mostEarlyMs) await scheduledQueue.send([job], delayUntil(dueMs, nowMs));
      return 'later';
    }
    if (isExpired(message, nowMs)) return end(account, found, failures.expired);
    if (found.isGone) return end(account, found, failures.outlived);
    const contact = recipientOf(channel, to ?? '')?.contact;
    if (!contact) throw new InternalError('a scheduled message has no recipient', { messageId: message.id });
    const context = await sends.read(account, { channel, contact });
    const spam = spamIn(mail ?? { subject: undefined, html: undefined, text });
    return judgeAndSend(account, { message, contact, text, spam }, found, context);
  };

  const attempt = async (account: AccountRef, job: ScheduledJobOf<'send'>): Promise<Next> => {
    const found = await scheduled.find(account, { id: job.message, channel: job.channel });
    if (!found) return 'over';
    // In review, it waits for a decision, after which a sweep queues another job.
    if (found.message.isHeld) return found.isInReview ? 'later' : attemptWaiting(account, found, job);
    if (found.message.channel !== 'email') return awaitReport(account, found.message);
    // An email without an outcome ends by its notification, or by the watch of its send.
    return found.message.status === 'sending' ? 'later' : 'over';
  };

  return async (job: ScheduledJobOf<'send'>): Promise<void> => {
    const account = accountOfJob(job.account, await accounts.find(job.account)).ref;
    let next = await attempt(account, job);
    while (next === 'again') next = await attempt(account, job);
    if (next === 'over') await scheduled.retire(account, job.message, clock());
  };
};
