import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { TemplateStore } from '../../../shared/table/templates/template-store.ts';
import type { getTemplateContract } from './contract.ts';

export interface GetTemplateNeeds {
  readonly templates: Pick<TemplateStore, 'find'>;
}

/** One template of the caller's account. Templates of other accounts are not found. */
export const getTemplate =
  ({ templates }: GetTemplateNeeds) =>
  async ({ account, path }: Input<typeof getTemplateContract>): Promise<Reply<typeof getTemplateContract>> => {
    return existing('template_not_found', await templates.find(account, path.id));
  };
