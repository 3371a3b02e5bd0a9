import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import type { Webhook, WebhookApi, WebhookFields } from '../../webhooks/webhook.ts';
import { accountRefIn } from '../account-ref-in.ts';
import { itemKeys } from '../keys.ts';
import { optionalText } from '../optional.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item } from '../table.ts';

// The attributes of a subscription, and what they say.

export interface EarlierSecret {
  readonly secret: string;
  readonly validUntilMs: number;
}

/** The data to call a subscription's target. */
export interface Target {
  readonly account: AccountRef;
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  /** The secrets before, the last one first: each signs too until its time. */
  readonly earlier: readonly EarlierSecret[];
  readonly isActive: boolean;
  /** How often it was paused. */
  readonly pauses: number;
  readonly api: WebhookApi;
  /** Since when it is active; of one from a release before, when it was last resumed, or 0. */
  readonly activeSinceMs: number;
}

/** A subscription with what decides about its deliveries. */
export interface StoredWebhook extends Webhook {
  readonly pauses: number;
  /** When the first event happened that it missed; only of one that was paused because all its deliveries had failed. */
  readonly missedSince: string | undefined;
}

type Written = WebhookFields & { readonly secret: string };
export type Changes = { readonly [Field in keyof Written]?: Written[Field] | undefined };

export const place = (account: string, id: string, field: string) => sealedPlace(itemKeys.webhook(account, id), field);

export const stateOf = (isActive: boolean): string => (isActive ? 'active' : 'paused');

/** Messaging's items say nothing of it. */
export const apiIn = (item: Item): WebhookApi => (item['api'] === undefined ? 'messaging' : 'checkout');

/** The condition that a subscription of this API is there. */
export const isThere: Readonly<Record<WebhookApi, string>> = {
  messaging: 'attribute_exists(PK) AND attribute_not_exists(api)',
  checkout: 'attribute_exists(PK) AND attribute_exists(api)',
};

/** The secret before the previous one, while it is valid. */
export const olderFields = ['olderSecret', 'olderValidUntilMs'] as const;

/**
 * What a change ends: of a new secret, the overlap with those before; of a pause, the reason of the last one, which stays while the subscription
 * is active, because a caller that resumed it may not have received the response.
 */
export const removedBy = ({ secret, isActive }: Changes): string => {
  const removed = [
    ...(secret === undefined ? [] : ['previousSecret', 'previousValidUntilMs', ...olderFields]),
    ...(isActive === false ? ['failingSince', 'activeSinceMs'] : []),
  ];
  return removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : '';
};

export const isActiveIn = (item: Item): boolean => item['state'] === stateOf(true);

export const pausesIn = (item: Item): number => Number(item['pauses'] ?? 0);

export const textIn = (cipher: Cipher, item: Item, field: string): string =>
  cipher.open(place(String(item['account']), String(item['SK']), field), item[field]);

/** Totals and times are in the item of its leases. The release before had them here, and what it counted still counts. */
export const webhookFrom = (cipher: Cipher, item: Item, leases: Item = {}): StoredWebhook => {
  const id = String(item['SK']);
  const total = (field: string) => Number(item[field] ?? 0) + Number(leases[field] ?? 0);
  const time = (field: string) => optionalText(leases[field] ?? item[field]) ?? null;
  return {
    id,
    name: textIn(cipher, item, 'name'),
    url: textIn(cipher, item, 'url'),
    events: item['events'] as string[],
    isActive: isActiveIn(item),
    totalSent: total('totalSent'),
    totalFailed: total('totalFailed'),
    lastSentAt: time('lastSentAt'),
    lastFailedAt: time('lastFailedAt'),
    createdAt: iso(timeOfId(id)),
    updatedAt: String(item['updatedAt']),
    hasSecret: item['secret'] !== undefined,
    pauses: pausesIn(item),
    // Stored as `failingSince`: items from before have this name.
    missedSince: optionalText(item['failingSince']),
  };
};

export const earlierIn = (cipher: Cipher, item: Item): EarlierSecret[] =>
  ['previous', 'older']
    .filter((age) => item[`${age}Secret`] !== undefined)
    .map((age) => ({
      secret: textIn(cipher, item, `${age}Secret`),
      validUntilMs: Number(item[`${age}ValidUntilMs`]),
    }));

/** The target in a subscription's item. */
export const targetFrom = async (item: Item, vault: Vault): Promise<Target> => {
  const account = accountRefIn(item);
  const cipher = await vault.unlock(account);
  return {
    account,
    id: String(item['SK']),
    name: textIn(cipher, item, 'name'),
    url: textIn(cipher, item, 'url'),
    secret: textIn(cipher, item, 'secret'),
    earlier: earlierIn(cipher, item),
    isActive: isActiveIn(item),
    pauses: pausesIn(item),
    api: apiIn(item),
    activeSinceMs: Number(item['activeSinceMs'] ?? item['resumedMs'] ?? 0),
  };
};

/** The attributes that a change sets; a new subscription is all of them. */
export const attributesOf = (
  account: AccountRef,
  cipher: Cipher,
  id: string,
  { name, url, secret, events, isActive }: Changes,
): Record<string, unknown> => {
  const sealed = { name, url, secret };
  return {
    ...Object.fromEntries(
      Object.entries(sealed).flatMap(([field, text]) =>
        text === undefined ? [] : [[field, cipher.seal(place(account.id, id, field), text)]],
      ),
    ),
    ...(events && { events: [...events] }),
    ...(isActive !== undefined && { state: stateOf(isActive) }),
  };
};
