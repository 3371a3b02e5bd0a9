import { newId } from '../../../shared/kit/id.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { NoticeJobOf } from '../../../shared/notices/notice-job.ts';
import { signInMail } from '../../../shared/people/sign-in-mail.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { MemberStore } from '../../../shared/table/people/member-store.ts';
import type { SignInStore } from '../../../shared/table/people/sign-in-store.ts';
import { mailNow } from './mail-now.ts';

export interface MailSignInNeeds {
  readonly signIns: Pick<SignInStore, 'asked' | 'link'>;
  readonly members: Pick<MemberStore, 'rightsOf'>;
  readonly email: EmailProvider;
  readonly peopleAddress: string;
  readonly baseUrl: string;
  readonly clock: Clock;
}

/** Mails a link to who asked to sign in, if they are known. A repeated job mails another link. */
export const mailSignIn =
  ({ signIns, members, email, peopleAddress, baseUrl, clock }: MailSignInNeeds) =>
  async ({ place }: NoticeJobOf<'sign-in'>): Promise<void> => {
    const nowMs = clock();
    const asked = await signIns.asked(place, nowMs);
    if (!asked) return;
    const { isOperator, roles } = await members.rightsOf(asked.person);
    if (!isOperator && Object.keys(roles).length === 0) return;
    const token = await signIns.link(asked, nowMs);
    await mailNow(email, signInMail({ id: newId(nowMs), to: asked.email, peopleAddress, baseUrl }, token));
  };
