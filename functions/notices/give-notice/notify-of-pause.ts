import type { NoticeJobOf } from '../../../shared/checkout/jobs.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { noticeOfPause } from '../../../shared/webhooks/notice.ts';

export interface NotifyOfPauseNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly email: EmailProvider;
  readonly platformAddress: string;
}

/** Writes to the admins of an account when one of its subscriptions was paused. They may get it twice, but never not at all. */
export const notifyOfPause =
  ({ accounts, webhooks, email, platformAddress }: NotifyOfPauseNeeds) =>
  async ({ account: accountId, webhook: webhookId }: NoticeJobOf<'pause'>): Promise<void> => {
    const account = await accounts.find(accountId);
    const webhook = account && (await webhooks.find(account.ref, webhookId));
    if (!webhook) return;
    for (const to of account.adminEmails) {
      const mail = noticeOfPause(webhook, { account, to, platformAddress });
      const { kind } = await email.send(mail);
      if (kind === 'unavailable') throw new InternalError('the email provider is unavailable', { webhookId });
    }
  };
