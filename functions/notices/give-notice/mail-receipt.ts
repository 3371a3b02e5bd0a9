import { randomUUID } from 'node:crypto';
import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import { receiptContent } from '../../../shared/checkout/receipt.ts';
import type { CheckoutSession } from '../../../shared/checkout/session.ts';
import { accept } from '../../../shared/compliance/accept.ts';
import { logOutOfCredits } from '../../../shared/compliance/send.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { ComesBack } from '../../../shared/kit/comes-back.ts';
import { nthId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import { emailAddress } from '../../../shared/messages/email-address.ts';
import { type AcceptedMessage, newEmail } from '../../../shared/messages/new-message.ts';
import { sendMail } from '../../../shared/messages/send-mail.ts';
import { type PlatformAddresses, senderOf } from '../../../shared/messages/sender.ts';
import type { NoticeJobOf } from '../../../shared/notices/notice-job.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { AccountStore, StoredAccount } from '../../../shared/table/accounts/account-store.ts';
import type { MethodStore } from '../../../shared/table/checkout/method-store.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { SendStore } from '../../../shared/table/messages/send-store.ts';

export interface MailReceiptNeeds extends PlatformAddresses {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly methods: Pick<MethodStore, 'find'>;
  readonly sends: SendStore;
  readonly messages: MessageStore;
  readonly email: EmailProvider;
  readonly addresses: Pick<CheckoutAddresses, 'logo'>;
  readonly clock: Clock;
}

/** The id of a payment's receipt, so that a repeated job sends no second one. */
const receiptIdOf = (paymentId: string): string => nthId(paymentId, 3_000);

/** Every visitor can copy the key that made the session, and could have a mail of their own words sent to anybody, without paying. */
const isByAnybody = ({ createdWith, livemode }: Pick<CheckoutSession, 'createdWith' | 'livemode'>): boolean =>
  createdWith === 'publishable' && !livemode;

const merchantOf = ({ name: merchant, branding }: StoredAccount, addresses: MailReceiptNeeds['addresses']) => ({
  merchant,
  branding,
  logoUrl: branding.logoId === null ? undefined : addresses.logo(branding.logoId),
});

/**
 * Fails while another run may still take back the receipt that it has accepted: this may be the last delivery of the job. One that no run mails any
 * more, `end-interrupted-send` ends.
 */
const expectDecided = async (
  messages: Pick<MessageStore, 'find'>,
  account: AccountRef,
  { id, channel }: AcceptedMessage,
): Promise<void> => {
  const { status = 'sending' } = (await messages.find(account, id, channel)) ?? {};
  if (status === 'sending') throw new ComesBack('another run mails the receipt', { messageId: id });
};

/** Mails the receipt of a payment to a payer who gave an email, for accounts that want that: a message like any other, credits included. */
export const mailReceipt =
  ({ accounts, payments, methods, sends, messages, email, addresses, ...needs }: MailReceiptNeeds) =>
  async (job: NoticeJobOf<'receipt'>): Promise<void> => {
    if (job.mark === 'surplus') return;
    const account = await accounts.find(job.account);
    if (!account?.checkout.sendsReceipts || account.status === 'frozen') return;
    const found = await payments.find(job.session, job.payment);
    const to = emailAddress(found?.session.customer.email ?? '');
    if (!found || to === undefined || isByAnybody(found.session)) return;
    const { payment } = found;
    const asked = {
      channel: 'email',
      to,
      tags: ['receipt'],
      metadata: JsonText.of({ paymentId: payment.id }),
    } as const;
    const message = newEmail(asked, receiptIdOf(payment.id));
    // Before it is accepted: a job that fails between the two finds its receipt accepted, and would not send it.
    const method = await methods.find(account.ref, payment.acceptanceMethodId);
    const content = receiptContent({ ...found, ...merchantOf(account, addresses), method, paidMs: job.atMs });
    // One that waited for its turn may have been cancelled since an earlier delivery of this job.
    const draft = { message, contact: { email: to }, run: randomUUID(), isResumed: true };
    const context = await sends.read(account.ref, { channel: 'email', contact: draft.contact });
    const submission = { account: account.ref, draft, context, nowMs: needs.clock() };
    const acceptance = await accept({ sends, messages }, submission);
    log('info', 'receipt', { paymentId: payment.id, acceptance });
    if (acceptance === 'unfunded') logOutOfCredits(account.ref, message.price);
    if (acceptance === 'exists') await expectDecided(messages, account.ref, message);
    if (acceptance !== 'accepted') return;
    const mail = {
      messageId: message.id,
      accountId: account.id,
      from: senderOf(account.email, {}, needs),
      to,
      replyTo: undefined,
      attachments: [],
      isAutomatic: true,
      ...content,
    };
    const order = { account: account.ref, message, mail, run: draft.run };
    await sendMail({ messages, email, sends, clock: needs.clock }, order);
  };
