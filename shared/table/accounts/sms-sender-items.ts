import { digestOf } from '../../kit/digest.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Write } from '../table.ts';

/** The digits of a sender that can be answered: a phone number or a short code. A name cannot, so several accounts may use it. */
export const senderNumber = (sender: string): string | undefined => /^\+?(\d{3,15})$/.exec(sender)?.[1];

export const senderKey = (digits: string): ItemKey => itemKeys.smsSender(digestOf(digits));

/**
 * Which account has a number. Where it is not `isExclusive`, the item is older than the rule that only one account has it, or the account has
 * released the number: what is still answered to it is for that account, until another one claims it.
 */
export interface SenderOwner {
  readonly account: string;
  readonly isExclusive: boolean;
  readonly isReleased: boolean;
}

export const ownerFrom = (item: Item | undefined): SenderOwner | undefined =>
  item && {
    account: String(item['account']),
    isExclusive: item['isExclusive'] === true,
    isReleased: item['releasedAt'] !== undefined,
  };

/** Makes the number the account's. Refused when another account has claimed it since `owner` was read. */
export const claimWrite = (digits: string, account: string, owner: SenderOwner | undefined): Write => ({
  Put: {
    Item: { ...senderKey(digits), entity: 'sms-sender', account, isExclusive: true },
    ConditionExpression:
      'attribute_not_exists(PK) OR account = :own OR account = :read AND attribute_not_exists(isExclusive)',
    ExpressionAttributeValues: { ':own': account, ':read': owner?.account ?? account },
  },
});

/** Frees the number. The release before reads it as one that every account is asked about, so that none has it there either. */
export const releaseWrite = (digits: string, account: string, at: string): Write => ({
  Update: {
    Key: senderKey(digits),
    UpdateExpression: 'SET releasedAt = :at REMOVE isExclusive',
    ConditionExpression: 'account = :own',
    ExpressionAttributeValues: { ':own': account, ':at': at },
  },
});
