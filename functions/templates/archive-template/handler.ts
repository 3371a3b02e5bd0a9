import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing, notFound } from '../../../shared/kit/not-found.ts';
import type { TemplateStore } from '../../../shared/table/templates/template-store.ts';
import { editable } from '../../../shared/templates/template.ts';
import type { archiveTemplateContract } from './contract.ts';

export interface ArchiveTemplateNeeds {
  readonly templates: Pick<TemplateStore, 'find' | 'archive'>;
}

/** Archives a template, once. It cannot be found afterwards. */
export const archiveTemplate =
  ({ templates }: ArchiveTemplateNeeds) =>
  async ({ account, path }: Input<typeof archiveTemplateContract>): Promise<Reply<typeof archiveTemplateContract>> => {
    const found = existing('template_not_found', await templates.find(account, path.id));
    const isArchived = await templates.archive(account, editable(found).id);
    if (!isArchived) throw notFound('template_not_found');
  };
