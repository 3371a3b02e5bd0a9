import { newAccountSettings } from '../../../shared/accounts/account.ts';
import type { DataKeys } from '../../../shared/aws/vault.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { createAccountContract } from './contract.ts';

export interface CreateAccountNeeds {
  readonly accounts: Pick<AccountStore, 'create'>;
  readonly dataKeys: DataKeys;
}

/** Creates an account without credits and API keys, with its own data key. */
export const createAccount =
  ({ accounts, dataKeys }: CreateAccountNeeds) =>
  async ({
    body,
    newId,
    nowMs,
  }: RequestOf<typeof createAccountContract>): Promise<Reply<typeof createAccountContract>> => {
    const settings = newAccountSettings(body.name);
    await accounts.create({ id: newId, sealedKey: await dataKeys.create(newId) }, settings, nowMs);
    return { ...settings, id: newId, createdAt: iso(nowMs), updatedAt: iso(nowMs) };
  };
