import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { TemplateStore } from '../../../shared/table/templates/template-store.ts';
import type { listVersionsContract } from './contract.ts';

export interface ListVersionsNeeds {
  readonly templates: Pick<TemplateStore, 'versions'>;
}

/** What a template was, change by change. */
export const listVersions =
  ({ templates }: ListVersionsNeeds) =>
  async ({ account, path }: Input<typeof listVersionsContract>): Promise<Reply<typeof listVersionsContract>> =>
    existing('template_not_found', await templates.versions(account, path.id));
