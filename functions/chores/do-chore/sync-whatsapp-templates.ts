import { goRound, type RoundJob } from '../../../shared/accounts/round.ts';
import type { Queue } from '../../../shared/aws/queue.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';
import { log } from '../../../shared/kit/log.ts';
import type { FindMetaSettings, MetaSettings } from '../../../shared/messages/text-settings.ts';
import type { MetaTemplates } from '../../../shared/providers/text/meta-templates.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { TemplateSync } from '../../../shared/templates/template-sync.ts';

export interface SyncWhatsappTemplatesNeeds {
  readonly accounts: Pick<AccountStore, 'page'>;
  readonly whatsappSettings: FindMetaSettings;
  readonly metaTemplates: (settings: MetaSettings) => Promise<MetaTemplates>;
  readonly templateSync: Pick<TemplateSync, 'sync'>;
  readonly templateSyncsQueue: Queue<RoundJob>;
}

/** Runs daily: copies the templates of every account with a business account at Meta. */
export const syncWhatsappTemplates =
  ({ accounts, whatsappSettings, metaTemplates, templateSync, templateSyncsQueue }: SyncWhatsappTemplatesNeeds) =>
  (job: RoundJob, nowMs: number): Promise<void> =>
    goRound(
      {
        page: accounts.page,
        visit: async ({ open }) => {
          const account = await open();
          const settings = whatsappSettings(account);
          if (!settings) return;
          const result = await templateSync.sync(account.ref, () => metaTemplates(settings), nowMs);
          if (result.kind === 'unavailable') throw new InternalError('Meta’s templates are unavailable');
          const changed = result.kind === 'synced' ? result.changed : 0;
          log('info', 'whatsapp templates synced', { outcome: result.kind, changed });
        },
        queueNext: (next) => templateSyncsQueue.send([next]),
      },
      job,
    );
