import { type AccountOfUrls, firstInboundUrls, type InboundUrls, rotated } from '../../messages/callback-urls.ts';
import { accountRefIn } from '../account-ref-in.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';

/** An account that has never replaced its URL has none of them in its item. */
export const inboundUrlsIn = (account: Item): InboundUrls =>
  (account['inboundUrls'] ?? firstInboundUrls) as InboundUrls;

/** The URLs for inbound sms. They are beside an account's settings: a change of these, also by the release before, does not undo a rotation. */
export const inboundUrlStore = (table: Table) => ({
  /** Undefined when the account is unknown. */
  rotate: async function rotate(
    id: string,
    wished: { readonly version: string; readonly previousValidUntilMs: number },
    nowMs: number,
  ): Promise<AccountOfUrls | undefined> {
    const item = await table.get(itemKeys.account(id));
    if (!item) return undefined;
    const ref = accountRefIn(item);
    const before = inboundUrlsIn(item);
    // An update of ours whose answer was lost: another change came since, so that it was not recognized.
    if (before.some(({ version }) => version === wished.version)) return { ref, inboundUrls: before };
    const after = rotated(before, wished, nowMs);
    const hasNone = before === firstInboundUrls;
    const { done } = await table.update({
      Key: itemKeys.account(id),
      UpdateExpression: 'SET inboundUrls = :after',
      ConditionExpression: hasNone
        ? 'attribute_exists(PK) AND attribute_not_exists(inboundUrls)'
        : 'inboundUrls = :before',
      ExpressionAttributeValues: { ':after': after, ...(!hasNone && { ':before': before }) },
    });
    return done ? { ref, inboundUrls: after } : rotate(id, wished, nowMs);
  },
});

export type InboundUrlStore = ReturnType<typeof inboundUrlStore>;
