import { dayMinutes, iso } from '../../../shared/kit/time.ts';
import type { NoticeJobOf } from '../../../shared/notices/notice-job.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { AccountStore, StoredAccount } from '../../../shared/table/accounts/account-store.ts';
import type { RateStore } from '../../../shared/table/accounts/rate-store.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { StoredWebhook } from '../../../shared/table/webhooks/webhook-items.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { noticeOfPause } from '../../../shared/webhooks/notice.ts';
import { retriedSpan } from '../../../shared/webhooks/retries.ts';
import { mailNow } from './mail-now.ts';

export interface MailPauseNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly members: Pick<MemberStore, 'list'>;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'firstEventOf'>;
  readonly rates: Pick<RateStore, 'count'>;
  readonly email: EmailProvider;
  readonly peopleAddress: string;
  readonly baseUrl: string;
  /** Between the attempts of a delivery, in seconds. */
  readonly waits: readonly number[];
}

/** Each mails what the account has named itself and its webhook to addresses that it chose. */
const mostByHand = 20;

/** So many members are looked through for owners. */
const mostMembers = 1_000;

/** Longer than a delivery takes until it is stored with its first outcome. */
const firstOutcomeMs = 60_000;

/** When the first event happened that a subscription has missed: the pause cancelled its delivery, or no attempt had been made. */
const firstMissedOf = async (
  { deliveries, waits }: Pick<MailPauseNeeds, 'deliveries' | 'waits'>,
  webhook: StoredWebhook,
  pausedMs: number,
): Promise<string> => {
  if (webhook.missedSince !== undefined) return webhook.missedSince;
  const untilMs = pausedMs - firstOutcomeMs;
  const span = retriedSpan(waits, webhook, untilMs);
  return iso((await deliveries.firstEventOf(webhook, span, ({ state }) => state === 'cancelled')) ?? untilMs);
};

/** Each address once, whatever its letter case. */
const distinct = (addresses: readonly string[]): string[] => [
  ...new Map(addresses.map((address) => [address.toLowerCase(), address])).values(),
];

/** Those whom the account has named or, where it has named nobody, its owners. */
const adminsOf = async ({ members }: Pick<MailPauseNeeds, 'members'>, account: StoredAccount): Promise<string[]> => {
  if (account.adminEmails.length > 0) return distinct(account.adminEmails);
  const all = await members.list(account.ref.id, { cursor: undefined, limit: mostMembers });
  return all.filter(({ role }) => role === 'owner').map(({ email }) => email);
};

/**
 * Sends the admins of an account a mail when one of its subscriptions was paused; they may get it twice. They get none when it has been resumed
 * since, nor, of a pause by hand, when the account is frozen or this is more than the 20th of a day.
 */
export const mailPause =
  ({ accounts, webhooks, rates, email, peopleAddress, baseUrl, ...needs }: MailPauseNeeds) =>
  async ({ account: accountId, webhook: webhookId, atMs }: NoticeJobOf<'pause'>): Promise<void> => {
    const account = await accounts.find(accountId);
    const webhook = account && (await webhooks.find(account.ref, webhookId));
    if (!webhook || webhook.isActive) return;
    const isByHand = webhook.missedSince === undefined;
    const count = (calls: number) => rates.count(`pauses ${accountId}`, atMs, { calls, windowMinutes: dayMinutes });
    if (isByHand && (account.status === 'frozen' || (await count(1)) > mostByHand)) return;
    try {
      const missedSince = await firstMissedOf(needs, webhook, atMs);
      const admins = await adminsOf(needs, account);
      const mails = admins.map((to) =>
        noticeOfPause({ ...webhook, isByHand, missedSince }, { account, to, peopleAddress, baseUrl }),
      );
      // Side by side: while SES lets each wait for its turn, one after the other would leave the last no time.
      await Promise.all(mails.map((mail) => mailNow(email, mail)));
    } catch (thrown) {
      // The job comes back, and is one pause only.
      if (isByHand) await count(-1);
      throw thrown;
    }
  };
