import { log } from '../../../shared/kit/log.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { InboundStore } from '../../../shared/table/messages/inbound-store.ts';
import type { OutcomeStore } from '../../../shared/table/messages/outcome-store.ts';
import { meaningOf, type SmsNews } from './sms-event.ts';

export interface ReceiveSmsEventNeeds {
  readonly accounts: Pick<AccountStore, 'find' | 'allBySender'>;
  readonly outcomes: Pick<OutcomeStore, 'record'>;
  readonly inbounds: InboundStore;
}

/**
 * What AWS tells of an sms moves its message and its contact; the context that it was sent with says which message. What somebody answers
 * goes to the account whose number they wrote to.
 */
export const receiveSmsEvent =
  ({ accounts, outcomes, inbounds }: ReceiveSmsEventNeeds) =>
  async (news: SmsNews, nowMs: number): Promise<void> => {
    if ('inboundMessageId' in news) {
      const { originationNumber: from, messageBody: text, inboundMessageId: id } = news;
      const found = await accounts.allBySender(news.destinationNumber);
      for (const { ref } of found) await inbounds.receive(ref, { channel: 'sms', from, text, atMs: nowMs, id });
      log('info', 'inbound sms', { accounts: found.map((account) => account.id) });
      return;
    }
    const { accountId = '', messageId = '' } = news.context;
    const meaning = meaningOf(news);
    const account = meaning && (await accounts.find(accountId));
    const isRecorded = meaning && account ? await outcomes.record(account.ref, messageId, meaning, nowMs) : false;
    log('info', 'sms event', { eventType: news.eventType, messageId, isRecorded });
  };
