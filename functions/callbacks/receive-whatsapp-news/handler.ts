import type { InboundReceiver } from '../../../shared/compliance/inbound-receiver.ts';
import type { OutcomeRecorder } from '../../../shared/contacts/outcome-recorder.ts';
import type { CallbackOutcome, CallbackRequest } from '../../../shared/http/callback.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { inParts } from '../../../shared/kit/in-parts.ts';
import { log } from '../../../shared/kit/log.ts';
import { type MetaNews, metaNews } from '../../../shared/messages/meta-news.ts';
import { isSignedByMeta } from '../../../shared/messages/meta-signature.ts';
import type { FindMetaSettings } from '../../../shared/messages/text-settings.ts';
import { warnOfRefusedTexts } from '../../../shared/messages/texts-refused.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { TemplateSync } from '../../../shared/templates/template-sync.ts';

export interface ReceiveWhatsappNewsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly whatsappSettings: FindMetaSettings;
  readonly outcomeRecorder: Pick<OutcomeRecorder, 'record'>;
  readonly inboundReceiver: InboundReceiver;
  readonly templateSync: Pick<TemplateSync, 'decide'>;
}

/** A callback has up to 3 MB, which is thousands of news: one after the other, they would take longer than the function may run. */
const linesAtATime = 20;

/** News of one subject are applied in their order. */
const subjectOf = (news: MetaNews): string => {
  switch (news.kind) {
    case 'status':
      return news.message;
    case 'inbound':
      return news.from;
    case 'template':
      return news.name;
  }
};

/** Applies Meta's callbacks for an account: outcomes of messages, inbound messages, decisions about templates. Each must be signed by Meta. */
export const receiveWhatsappNews = ({ accounts, whatsappSettings, ...needs }: ReceiveWhatsappNewsNeeds) => {
  const { outcomeRecorder, inboundReceiver, templateSync } = needs;

  const hear = async (account: AccountRef, news: MetaNews, nowMs: number) => {
    switch (news.kind) {
      case 'status':
        return (
          news.account === account.id &&
          (await outcomeRecorder.record(account, news.message, { ...news, channel: 'whatsapp' }, nowMs))
        );
      case 'inbound':
        await inboundReceiver.receive(account, { ...news, channel: 'whatsapp', atMs: Math.min(news.atMs, nowMs) });
        return true;
      case 'template':
        return templateSync.decide(account, news, nowMs);
    }
  };

  return async ({ path, headers, body, document, nowMs }: CallbackRequest): Promise<CallbackOutcome> => {
    const account = await accounts.find(path['account'] ?? '');
    const settings = account && whatsappSettings(account);
    if (!settings) return 'unknown';
    if (!isSignedByMeta(settings.appSecret, body, headers['x-hub-signature-256'])) return 'forged';
    const lines = Map.groupBy(metaNews(document(), settings), subjectOf);
    await inParts([...lines.values()], linesAtATime, async (line) => {
      for (const news of line) report(account.ref, news, await hear(account.ref, news, nowMs));
    });
    return 'heard';
  };
};

const report = ({ id: accountId }: AccountRef, news: MetaNews, isHeeded: boolean): void => {
  const { message: messageId, trigger, failure, concernsSender } = news.kind === 'status' ? news : {};
  log('info', 'whatsapp news', { accountId, kind: news.kind, messageId, trigger, code: failure?.code, isHeeded });
  // Meta reports most of these after it has accepted the text.
  if (messageId !== undefined && concernsSender && isHeeded)
    warnOfRefusedTexts({ accountId, messageId, channel: 'whatsapp', code: failure?.code });
};
