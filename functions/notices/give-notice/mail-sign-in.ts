import type { NoticeJobOf } from '../../../shared/checkout/jobs.ts';
import { newId } from '../../../shared/kit/id.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import { invitationMail, signInMail } from '../../../shared/people/sign-in-mail.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';
import { mailNow } from './mail-now.ts';

export interface MailSignInNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly signIns: Pick<SignInStore, 'asked' | 'link'>;
  readonly members: Pick<MemberStore, 'read' | 'rightsOf'>;
  readonly email: EmailProvider;
  readonly platformAddress: string;
  readonly baseUrl: string;
  readonly clock: Clock;
}

/** Mails a link to who asked to sign in, if they are known. A repeated job mails another link. */
export const mailSignIn =
  ({ signIns, members, email, platformAddress, baseUrl, clock }: MailSignInNeeds) =>
  async ({ place }: NoticeJobOf<'sign-in'>): Promise<void> => {
    const nowMs = clock();
    const asked = await signIns.asked(place, nowMs);
    if (!asked) return;
    const { isOperator, roles } = await members.rightsOf(asked.person);
    if (!isOperator && Object.keys(roles).length === 0) return;
    const token = await signIns.link(asked, nowMs);
    await mailNow(email, signInMail({ id: newId(nowMs), to: asked.email, platformAddress, baseUrl }, token));
  };

/** Notifies a person that they were made a member of an account. */
export const mailInvitation =
  ({ accounts, members, email, platformAddress, baseUrl }: MailSignInNeeds) =>
  async ({ PK, SK, account: id }: NoticeJobOf<'invitation'>): Promise<void> => {
    const [member, account] = await Promise.all([members.read({ PK, SK }), accounts.find(id)]);
    if (!member || !account || account.status === 'frozen') return;
    const { role, invitedBy } = member;
    const letter = { id: member.id, to: member.email, platformAddress, baseUrl };
    await mailNow(email, invitationMail(letter, { account: account.name, role, invitedBy }));
  };
