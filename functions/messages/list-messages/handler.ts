import type { Input, Reply } from '../../../shared/http/contract.ts';
import { messageFilter } from '../../../shared/messages/message-filter.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { listMessagesContract } from './contract.ts';

export interface ListMessagesNeeds {
  readonly messages: Pick<MessageStore, 'list'>;
}

/** Every message of the account, campaigns and automations included. */
export const listMessages =
  ({ messages }: ListMessagesNeeds) =>
  async ({ account, query }: Input<typeof listMessagesContract>): Promise<Reply<typeof listMessagesContract>> => {
    const { page, pagination } = await messages.list(account, messageFilter(query), query);
    return { data: page, pagination };
  };
