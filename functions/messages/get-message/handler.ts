import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { getMessageContract } from './contract.ts';

export interface GetMessageNeeds {
  readonly messages: Pick<MessageStore, 'find'>;
}

/** One message of the caller's account. Messages of other accounts are not found. */
export const getMessage =
  ({ messages }: GetMessageNeeds) =>
  async ({ account, path }: Input<typeof getMessageContract>): Promise<Reply<typeof getMessageContract>> => {
    return existing('message_not_found', await messages.find(account, path.id));
  };
