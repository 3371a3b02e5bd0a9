import type { AccountRef } from '../../shared/kit/account-ref.ts';
import type { accountStore } from '../../shared/table/accounts/account-store.ts';

const accountsAtOnce = 100;

/** Every account of a deployment, in the order of their creation. */
export async function* allAccounts({
  page,
}: Pick<ReturnType<typeof accountStore>, 'page'>): AsyncGenerator<AccountRef> {
  let after: string | undefined;
  do {
    const accounts = await page(after, accountsAtOnce);
    for (const { ref } of accounts) yield ref;
    after = accounts.length < accountsAtOnce ? undefined : accounts.at(-1)?.id;
  } while (after !== undefined);
}
