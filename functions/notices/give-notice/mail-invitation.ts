import { dayMinutes } from '../../../shared/kit/time.ts';
import type { NoticeJobOf } from '../../../shared/notices/notice-job.ts';
import { invitationMail } from '../../../shared/people/sign-in-mail.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { RateStore } from '../../../shared/table/accounts/rate-store.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import { mailNow } from './mail-now.ts';

export interface MailInvitationNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly members: Pick<MemberStore, 'read'>;
  readonly rates: Pick<RateStore, 'count'>;
  readonly email: EmailProvider;
  readonly peopleAddress: string;
  readonly baseUrl: string;
}

/** As long as a change can be read again: a batch of changes that failed is kept so long. */
const windowMinutes = 90 * dayMinutes;

/**
 * Notifies a person that they were made a member of an account. A repeated job does so again only where the run before it was cut off: what is
 * counted of the mail outlasts the change.
 */
export const mailInvitation =
  ({ accounts, members, rates, email, peopleAddress, baseUrl }: MailInvitationNeeds) =>
  async ({ PK, SK, account: id, atMs }: NoticeJobOf<'invitation'>): Promise<void> => {
    const [member, account] = await Promise.all([members.read({ PK, SK }), accounts.find(id)]);
    if (!member || !account) return;
    const { role, invitedBy } = member;
    const count = (calls: number) => rates.count(`invitation ${member.id}`, atMs, { calls, windowMinutes });
    if ((await count(0)) > 0) return;
    const letter = { id: member.id, to: member.email, peopleAddress, baseUrl };
    await mailNow(email, invitationMail(letter, { account: account.name, role, invitedBy }));
    await count(1);
  };
