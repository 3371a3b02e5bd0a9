import { type ByKind, byKind } from '../../../shared/kit/by-kind.ts';
import type { MailNotice, NoticeJob } from '../../../shared/notices/notice-job.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { type MailInvitationNeeds, mailInvitation } from './mail-invitation.ts';
import { type MailPauseNeeds, mailPause } from './mail-pause.ts';
import { type MailReceiptNeeds, mailReceipt } from './mail-receipt.ts';
import { type MailSignInNeeds, mailSignIn } from './mail-sign-in.ts';
import { type PublishCheckoutEventNeeds, publishCheckoutEvent } from './publish-checkout-event.ts';

export type GiveNoticeNeeds = PublishCheckoutEventNeeds &
  MailReceiptNeeds &
  MailPauseNeeds &
  MailSignInNeeds &
  MailInvitationNeeds;

/** A slow mail delays no event, and a busy account no event of another. */
export const groupOf = (job: NoticeJob) => ({ kind: job.kind, ...('account' in job && { account: job.account }) });

/**
 * Notifies merchants, payers and admins: each kind of notice has its handler. Mails go side by side: while SES lets each wait for its turn, one after
 * the other would leave the last no time, and a job that has not begun returns to the queue, which counts as a try.
 */
export const giveNotice = (needs: GiveNoticeNeeds) => {
  const publish = publishCheckoutEvent(needs);
  const mailers: ByKind<MailNotice, []> = {
    receipt: mailReceipt(needs),
    pause: mailPause(needs),
    'sign-in': mailSignIn(needs),
    invitation: mailInvitation(needs),
  };

  const isMail = (job: NoticeJob): job is MailNotice => job.kind in mailers;
  const mail = byKind(mailers);

  return async (jobs: readonly NoticeJob[], guard: Guard<NoticeJob>): Promise<void> => {
    const mailed = jobs.filter(isMail).map((job) => guard(job, () => mail(job.kind, job)));
    for (const job of jobs) if (!isMail(job)) await guard(job, () => publish(job));
    await Promise.all(mailed);
  };
};
