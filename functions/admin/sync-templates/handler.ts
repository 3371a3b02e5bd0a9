import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { FindMetaSettings, MetaSettings } from '../../../shared/messages/text-settings.ts';
import type { MetaTemplates } from '../../../shared/providers/text/meta-templates.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { TemplateSync } from '../../../shared/templates/template-sync.ts';
import type { syncTemplatesContract } from './contract.ts';

export interface SyncTemplatesNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly whatsappSettings: FindMetaSettings;
  readonly metaTemplates: (settings: MetaSettings) => Promise<MetaTemplates>;
  readonly templateSync: Pick<TemplateSync, 'sync'>;
}

/** Runs the daily template sync now, for one account. */
export const syncTemplates =
  ({ accounts, whatsappSettings, metaTemplates, templateSync }: SyncTemplatesNeeds) =>
  async ({ path, nowMs }: RequestOf<typeof syncTemplatesContract>): Promise<Reply<typeof syncTemplatesContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    const settings = whatsappSettings(account);
    if (!settings) throw new Fault('invalid_request', 'whatsapp.provider: is not set for this account');
    const result = await templateSync.sync(account.ref, () => metaTemplates(settings), nowMs);
    if (result.kind === 'unavailable')
      throw new Fault('upstream_unavailable', `The templates cannot be read: ${result.reason}`);
    if (result.kind === 'refused') throw new Fault('invalid_request', `The templates cannot be read: ${result.reason}`);
    return { synced: result.synced, changed: result.changed };
  };
