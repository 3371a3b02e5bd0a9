import type { Input, Reply } from '../../../shared/http/contract.ts';
import { bytesInAnswer, rowsThatFit } from '../../../shared/kit/cursor-page.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { TemplateStore } from '../../../shared/table/templates/template-store.ts';
import type { listTemplatesContract } from './contract.ts';

export interface ListTemplatesNeeds {
  readonly templates: Pick<TemplateStore, 'list'>;
}

/** Every template of the account, or of one channel of it, if they fit in an answer. */
export const listTemplates =
  ({ templates }: ListTemplatesNeeds) =>
  async ({ account, query }: Input<typeof listTemplatesContract>): Promise<Reply<typeof listTemplatesContract>> => {
    const found = await templates.list(account, query.channel);
    if (rowsThatFit(found, bytesInAnswer) < found.length)
      throw new Fault(
        'invalid_request',
        'channel: the list has over 2.5 MB; ask for one channel, or delete templates that are no longer used',
      );
    return found;
  };
