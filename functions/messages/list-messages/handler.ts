import type { Input, Reply } from '../../../shared/http/contract.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { listMessagesContract } from './contract.ts';

export interface ListMessagesNeeds {
  readonly messages: Pick<MessageStore, 'list'>;
}

/** Every message of the account, campaigns and automations included. One row more than asked tells whether there is another page. */
export const listMessages =
  ({ messages }: ListMessagesNeeds) =>
  async ({ account, query }: Input<typeof listMessagesContract>): Promise<Reply<typeof listMessagesContract>> => {
    const { channel, status, createdAfter, createdBefore, cursor, limit } = query;
    const filter = { channel, status, createdAfterMs: createdAfter, createdBeforeMs: createdBefore };
    const rows = await messages.list(account, filter, { cursor, limit: limit + 1 });
    const data = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return { data, pagination: { cursor: hasMore ? (data.at(-1)?.id ?? null) : null, hasMore } };
  };
