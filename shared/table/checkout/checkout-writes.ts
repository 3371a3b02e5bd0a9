import type { Claim } from '../../checkout/claim.ts';
import type { Table, Updated } from '../table.ts';

/** An update, apart from the item that it is of. */
export type Change = Omit<Parameters<Table['update']>[0], 'Key'>;

/** Claims the call to the gateway about a pending payment or refund, where no run has claimed it. */
export const claimChange = ({ token, untilMs }: Claim): Change => ({
  UpdateExpression: 'SET claim = :token, claimedUntil = :until',
  ConditionExpression: '#status = :pending AND attribute_not_exists(claim)',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':token': token, ':until': untilMs, ':pending': 'PENDING' },
});

/** The claim, if it was given. Where the answer to its write was lost, another write may have come since, so that the table no longer recognizes it. */
export const claimGiven = ({ done, item }: Updated, claim: Claim): Claim | undefined =>
  done || item?.['claim'] === claim.token ? claim : undefined;

/** Releases a claim: the gateway knows of no call that was made with it. */
export const releaseChange = ({ token }: Claim): Change => ({
  UpdateExpression: 'REMOVE claim, claimedUntil',
  ConditionExpression: 'claim = :token',
  ExpressionAttributeValues: { ':token': token },
});

/** A change that does more, with the values for it. */
export const withMore = (change: Change, more: string, values: Readonly<Record<string, unknown>>): Change => ({
  ...change,
  UpdateExpression: `${change.UpdateExpression}${more}`,
  ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ...values },
});

/** Holds only if no run has taken or released the claim since the item was read. */
export const sameClaim = (claim: Claim | undefined) =>
  claim
    ? { condition: 'claim = :claim', values: { ':claim': claim.token } }
    : { condition: 'attribute_not_exists(claim)', values: {} };
