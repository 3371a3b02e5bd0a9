import { receiptOf } from '../../../shared/checkout/receipt.ts';
import { accept } from '../../../shared/compliance/accept.ts';
import { nthId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { emailAddress } from '../../../shared/messages/recipient.ts';
import { sendMail } from '../../../shared/messages/send-mail.ts';
import { senderOf } from '../../../shared/messages/sender.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { MethodStore } from '../../../shared/table/checkout/method-store.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { SendStore } from '../../../shared/table/messages/send-store.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

export interface SendReceiptNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly methods: Pick<MethodStore, 'find'>;
  readonly sends: SendStore;
  readonly messages: MessageStore;
  readonly email: EmailProvider;
  readonly platformAddress: string;
  readonly clock: Clock;
}

/** The id of a payment's receipt, so that repeated changes send only one. */
const receiptIdOf = (paymentId: string): string => nthId(paymentId, 3_000);

/** Mails receipts to payers who gave their email, for accounts that want that: messages like any other, credits included. */
export const sendReceipt = ({ accounts, payments, methods, sends, messages, email, ...needs }: SendReceiptNeeds) => {
  const send = async (item: Readonly<Record<string, unknown>>, paidMs: number): Promise<void> => {
    const account = await accounts.find(String(item['account']));
    if (!account?.checkout.sendsReceipts || account.status === 'frozen') return;
    const found = await payments.find(String(item['session']), String(item['payment']));
    const to = emailAddress(found?.session.customer.email ?? '');
    if (!found || to === undefined) return;
    const { session, payment } = found;
    const asked = {
      channel: 'email',
      to,
      tags: ['receipt'],
      metadata: JsonText.of({ paymentId: payment.id }),
    } as const;
    const message = newEmail(asked, receiptIdOf(payment.id));
    const draft = { message, contact: { email: to } };
    const context = await sends.read(account.ref, { channel: 'email', contact: draft.contact });
    const submission = { account: account.ref, draft, context, nowMs: needs.clock(), isOnlySender: false };
    const acceptance = await accept({ sends, messages }, submission);
    log('info', 'receipt', { paymentId: payment.id, acceptance });
    if (acceptance !== 'accepted') return;
    const method = await methods.find(account.ref, payment.acceptanceMethodId);
    const mail = {
      messageId: message.id,
      accountId: account.id,
      from: senderOf(account.email, {}, needs.platformAddress),
      to,
      replyTo: undefined,
      attachments: [],
      ...receiptOf({
        session,
        payment,
        merchant: account.name,
        method: method?.displayLabel ?? payment.gatewayCode,
        paidMs,
      }),
    };
    await sendMail({ messages, email, clock: needs.clock }, { account: account.ref, message, mail });
  };

  return async (changes: readonly Change[]): Promise<void> => {
    for (const { before, after, atMs } of changes) {
      const isPaid = before?.['status'] !== 'SUCCEEDED' && after?.['status'] === 'SUCCEEDED';
      if (isPaid && after['mark'] !== 'surplus') await send(after, atMs);
    }
  };
};
