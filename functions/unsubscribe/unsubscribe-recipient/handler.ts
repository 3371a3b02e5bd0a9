import type { OutcomeRecorder } from '../../../shared/contacts/outcome-recorder.ts';
import type { MessageTokens } from '../../../shared/messages/message-link.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';

export interface UnsubscribeRecipientNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly messageTokens: MessageTokens;
  readonly outcomeRecorder: Pick<OutcomeRecorder, 'optOut'>;
}

const endings = { contact: 'done', address: 'doneForAddress', erased: 'erased' } as const;

/** Unsubscribes the recipient of a message: by the button of a mail program, which sends no cookies and may repeat the request, or of our page. */
export const unsubscribeRecipient =
  ({ accounts, messageTokens, outcomeRecorder }: UnsubscribeRecipientNeeds) =>
  async ({
    path: { token = '' },
    nowMs,
  }: {
    readonly path: { readonly token?: string | undefined };
    readonly nowMs: number;
  }): Promise<'done' | 'doneForAddress' | 'erased' | 'unknown'> => {
    const account = await accounts.find(messageTokens.accountIn(token) ?? '');
    const messageId = account && (await messageTokens.messageIn('unsubscribe', account.ref, token));
    const whom = account && messageId && (await outcomeRecorder.optOut(account.ref, messageId, nowMs));
    return whom ? endings[whom] : 'unknown';
  };
