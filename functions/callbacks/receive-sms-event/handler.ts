import type { InboundReceiver } from '../../../shared/compliance/inbound-receiver.ts';
import { keywordIn } from '../../../shared/compliance/keywords.ts';
import type { OutcomeRecorder } from '../../../shared/contacts/outcome-recorder.ts';
import { alsoAbout, log } from '../../../shared/kit/log.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import { meaningOf, type SmsNews } from './sms-event.ts';

export interface ReceiveSmsEventNeeds {
  readonly accounts: Pick<AccountStore, 'refOf' | 'allBySender'>;
  readonly outcomeRecorder: Pick<OutcomeRecorder, 'record'>;
  readonly inboundReceiver: InboundReceiver;
}

/**
 * An event of AWS moves its message and its contact; the context that the sms was sent with says which message. An inbound sms
 * goes to the account whose number they wrote to, and counts from when it was published: one that comes again, or late, overrides nothing newer.
 */
export const receiveSmsEvent =
  ({ accounts, outcomeRecorder, inboundReceiver }: ReceiveSmsEventNeeds) =>
  async (news: SmsNews, nowMs: number, publishedMs: number): Promise<void> => {
    if ('inboundMessageId' in news) {
      const { originationNumber: from, messageBody: text, inboundMessageId: id } = news;
      // Who asks a number for messages agrees to those of the account that has it now. Who stops them means those that came from it.
      const found = await accounts.allBySender(news.destinationNumber, { orLast: keywordIn(text) === 'stop' });
      if (found.length === 0) log('info', 'an inbound sms to a number of no account');
      for (const { ref } of found) {
        await inboundReceiver.receive(ref, { channel: 'sms', from, text, atMs: publishedMs, id });
        log('info', 'inbound sms', { accountId: ref.id });
      }
      return;
    }
    const { accountId = '', messageId = '' } = news.context;
    alsoAbout({ accountId, messageId });
    const outcome = { ...meaningOf(news), channel: 'sms' as const };
    const account = await accounts.refOf(accountId);
    const atMs = outcome.trigger === 'providerAccepted' ? publishedMs : nowMs;
    const isRecorded = account ? await outcomeRecorder.record(account, messageId, outcome, atMs) : false;
    log('info', 'sms event', { eventType: news.eventType, isRecorded });
  };
