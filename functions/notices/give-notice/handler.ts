import type { NoticeJob } from '../../../shared/checkout/jobs.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { type MailSignInNeeds, mailInvitation, mailSignIn } from './mail-sign-in.ts';
import { type NotifyOfPauseNeeds, notifyOfPause } from './notify-of-pause.ts';
import { type PublishCheckoutEventNeeds, publishCheckoutEvent } from './publish-checkout-event.ts';
import { type SendReceiptNeeds, sendReceipt } from './send-receipt.ts';

export type GiveNoticeNeeds = PublishCheckoutEventNeeds & SendReceiptNeeds & NotifyOfPauseNeeds & MailSignInNeeds;

const events: ReadonlySet<NoticeJob['kind']> = new Set(['payment', 'refund', 'session']);

/** A slow mail delays no event. */
export const groupOf = ({ kind }: NoticeJob) => ({ kind });

/**
 * Notifies merchants, payers and admins: each kind of notice has its handler. Mails go side by side: while SES lets each wait for its turn, one after
 * the other would leave the last no time, and a job that has not begun returns to the queue, which counts as a try.
 */
export const giveNotice = (needs: GiveNoticeNeeds) => {
  const [publish, mailReceipt, mailAdmins] = [publishCheckoutEvent(needs), sendReceipt(needs), notifyOfPause(needs)];

  const [mailLink, mailMember] = [mailSignIn(needs), mailInvitation(needs)];

  const give = (job: NoticeJob): Promise<void> => {
    switch (job.kind) {
      case 'payment':
      case 'refund':
      case 'session':
        return publish(job);
      case 'receipt':
        return mailReceipt(job);
      case 'pause':
        return mailAdmins(job);
      case 'sign-in':
        return mailLink(job);
      case 'invitation':
        return mailMember(job);
    }
  };

  return async (jobs: readonly NoticeJob[], guard: Guard<NoticeJob>): Promise<void> => {
    const mails = jobs.filter(({ kind }) => !events.has(kind));
    const mailed = mails.map((job) => guard(job, () => give(job)));
    for (const job of jobs) if (events.has(job.kind)) await guard(job, () => give(job));
    await Promise.all(mailed);
  };
};
