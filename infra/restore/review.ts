import type { Vault } from '../../shared/kit/cipher.ts';
import type { Clock } from '../../shared/kit/time.ts';
import { failures } from '../../shared/messages/failures.ts';
import { accountStore, type StoredAccount } from '../../shared/table/accounts/account-store.ts';
import type { DueMessage } from '../../shared/table/messages/due-items.ts';
import { reviewStore } from '../../shared/table/messages/review-store.ts';
import { scheduledStore } from '../../shared/table/messages/scheduled-store.ts';
import { spreadStore } from '../../shared/table/messages/spread-store.ts';
import type { Table } from '../../shared/table/table.ts';
import { StartFailure } from '../local/start-failure.ts';

/** What can be done with the messages that wait for a decision after a restore: scheduled ones, and emails that waited for the sending rate. */
export const reviewing = ({ table, vault }: { readonly table: Table; readonly vault: Vault }, clock: Clock) => {
  const spreads = spreadStore(table, clock);
  const accounts = accountStore(table, vault, spreads);
  const scheduled = scheduledStore(table, vault, spreads);
  const { held, release } = reviewStore(table, vault, spreads);

  const accountOf = async ({ account, message }: DueMessage): Promise<StoredAccount> => {
    const found = await accounts.find(account);
    if (!found) throw new StartFailure(`The account ${account} of the message ${message} does not exist.`);
    return found;
  };

  /** A message that was cancelled or moved just now is its account's again. */
  const end = async (row: DueMessage): Promise<void> => {
    const { ref } = await accountOf(row);
    const found = await scheduled.find(ref, { id: row.message, channel: row.channel });
    if (found?.message.isHeld && !(await scheduled.fail(ref, found.message, failures.restored, clock()))) return;
    await scheduled.retire(ref, row.message, clock());
  };

  /**
   * One message, or all of them.
   * @throws StartFailure when none with this id waits
   */
  async function* chosen(id: string): AsyncGenerator<DueMessage> {
    let isFound = false;
    for await (const row of held())
      if (id === 'all' || id === row.message) {
        isFound = true;
        yield row;
      }
    if (!isFound && id !== 'all') throw new StartFailure(`No message with the id ${id} waits for a decision.`);
  }

  return {
    /** Changes nothing. */
    chosen,

    /** Has them sent by the next sweep. The gate judges them then. */
    async *send(id: string): AsyncGenerator<DueMessage> {
      for await (const row of chosen(id)) {
        await release(row, clock());
        yield row;
      }
    },

    /** Ends them as failed, and returns their credits. */
    async *end(id: string): AsyncGenerator<DueMessage> {
      for await (const row of chosen(id)) {
        await end(row);
        yield row;
      }
    },
  };
};
