import type { AccountSettings } from '../../../shared/accounts/account.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { MetaSettings } from '../../../shared/messages/text-settings.ts';
import type { MetaTemplates } from '../../../shared/providers/text/meta-templates.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { TemplateSync } from '../../../shared/templates/template-sync.ts';
import type { syncTemplatesContract } from './contract.ts';

export interface SyncTemplatesNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly whatsappSettings: (account: Pick<AccountSettings, 'whatsapp'>) => MetaSettings | undefined;
  readonly metaTemplates: (settings: MetaSettings) => Promise<MetaTemplates>;
  readonly templateSync: Pick<TemplateSync, 'sync'>;
}

/** Does now for one account what is done every day for all. */
export const syncTemplates =
  ({ accounts, whatsappSettings, metaTemplates, templateSync }: SyncTemplatesNeeds) =>
  async ({ path, nowMs }: RequestOf<typeof syncTemplatesContract>): Promise<Reply<typeof syncTemplatesContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    const settings = whatsappSettings(account);
    if (!settings) throw new Fault('invalid_request', 'whatsapp.provider: is not set for this account');
    const told = await metaTemplates(settings);
    if (told.kind === 'unavailable')
      throw new Fault('upstream_unavailable', `The templates cannot be read: ${told.reason}`);
    if (told.kind === 'refused') throw new Fault('invalid_request', `The templates cannot be read: ${told.reason}`);
    return {
      synced: told.templates.length,
      changed: await templateSync.sync(account.ref, told.templates, nowMs),
    };
  };
