import type { Input, Reply } from '../../../shared/http/contract.ts';
import { bytesInAnswer, rowsThatFit } from '../../../shared/kit/cursor-page.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { TemplateStore } from '../../../shared/table/templates/template-store.ts';
import type { listVersionsContract } from './contract.ts';

export interface ListVersionsNeeds {
  readonly templates: Pick<TemplateStore, 'versions'>;
}

/** What a template was, change by change: as many of the latest changes as fit in an answer. */
export const listVersions =
  ({ templates }: ListVersionsNeeds) =>
  async ({ account, path }: Input<typeof listVersionsContract>): Promise<Reply<typeof listVersionsContract>> => {
    const versions = existing('template_not_found', await templates.versions(account, path.id));
    return versions.slice(0, rowsThatFit(versions, bytesInAnswer));
  };
