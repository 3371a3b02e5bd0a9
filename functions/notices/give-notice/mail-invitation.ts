import type { NoticeJobOf } from '../../../shared/notices/notice-job.ts';
import { invitationMail } from '../../../shared/people/sign-in-mail.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import { mailNow } from './mail-now.ts';

export interface MailInvitationNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly members: Pick<MemberStore, 'read'>;
  readonly email: EmailProvider;
  readonly peopleAddress: string;
  readonly baseUrl: string;
}

/** Notifies a person that they were made a member of an account. */
export const mailInvitation =
  ({ accounts, members, email, peopleAddress, baseUrl }: MailInvitationNeeds) =>
  async ({ PK, SK, account: id }: NoticeJobOf<'invitation'>): Promise<void> => {
    const [member, account] = await Promise.all([members.read({ PK, SK }), accounts.find(id)]);
    if (!member || !account || account.status === 'frozen') return;
    const { role, invitedBy } = member;
    const letter = { id: member.id, to: member.email, peopleAddress, baseUrl };
    await mailNow(email, invitationMail(letter, { account: account.name, role, invitedBy }));
  };
