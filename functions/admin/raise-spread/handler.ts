import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { CreditStore } from '../../../shared/table/accounts/credit-store.ts';
import type { SpreadStore } from '../../../shared/table/messages/spread-store.ts';
import type { raiseSpreadContract } from './contract.ts';

export interface RaiseSpreadNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly credits: Pick<CreditStore, 'raiseShards'>;
  readonly spreads: Pick<SpreadStore, 'of' | 'raise'>;
}

/** Raises how far an account's credits and new messages are spread. Without a field, its number stays. */
export const raiseSpread =
  ({ accounts, credits, spreads }: RaiseSpreadNeeds) =>
  async ({
    path: { id },
    body,
    nowMs,
  }: RequestOf<typeof raiseSpreadContract>): Promise<Reply<typeof raiseSpreadContract>> => {
    const account = existing('account_not_found', await accounts.find(id));
    const spread = await spreads.of(id, nowMs);
    const inForce = { creditShards: account.creditShards, messageShards: spread.at(-1)?.shards ?? 1 };
    const { creditShards = inForce.creditShards, messageShards = inForce.messageShards } = body;
    if (creditShards < inForce.creditShards) throw lower('creditShards', inForce.creditShards);
    if (messageShards < inForce.messageShards) throw lower('messageShards', inForce.messageShards);
    if (messageShards > inForce.messageShards) await spreads.raise(id, messageShards);
    if (creditShards > inForce.creditShards) await credits.raiseShards(id, creditShards);
    return { creditShards, messageShards };
  };

const lower = (field: keyof RequestOf<typeof raiseSpreadContract>['body'], least: number): Fault =>
  new Fault('invalid_request', `${field}: cannot be lowered, at least ${least} is required`);
