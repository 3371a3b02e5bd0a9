import type { Input, Reply } from '../../../shared/http/contract.ts';
import type { TemplateStore } from '../../../shared/table/templates/template-store.ts';
import type { listTemplatesContract } from './contract.ts';

export interface ListTemplatesNeeds {
  readonly templates: Pick<TemplateStore, 'list'>;
}

/** Every template of the account, or of one channel of it. */
export const listTemplates =
  ({ templates }: ListTemplatesNeeds) =>
  ({ account, query }: Input<typeof listTemplatesContract>): Promise<Reply<typeof listTemplatesContract>> =>
    templates.list(account, query.channel);
