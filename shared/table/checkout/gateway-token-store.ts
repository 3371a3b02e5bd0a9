import * as z from 'zod';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { itemKeys } from '../keys.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Table } from '../table.ts';

/** What a gateway lets an account in with. */
const gatewayToken = z.object({
  idToken: z.string(),
  refreshToken: z.string().optional(),
  grantedMs: z.int(),
  lifetimeMs: z.number(),
  grantedFor: z.string(),
});
type GatewayToken = z.output<typeof gatewayToken>;

/** A refresh token outlives the token that it renews; after this it is of no use either. */
const keptSeconds = 28 * 86_400;

const place = (account: AccountRef, method: string) => sealedPlace(itemKeys.gatewayToken(account.id, method), 'token');

/** Tokens that gateways have granted, one for each method of an account, sealed like the credentials they were granted for. */
export const gatewayTokenStore = (table: Table, vault: Vault) => (account: AccountRef, method: string) => ({
  read: async (): Promise<GatewayToken | undefined> => {
    const item = await table.get(itemKeys.gatewayToken(account.id, method));
    if (!item) return undefined;
    const cipher = await vault.unlock(account);
    return gatewayToken.parse(JSON.parse(cipher.open(place(account, method), item['token'])));
  },

  /** The youngest stays: of two that were granted at once, the other works too. */
  write: async (token: GatewayToken): Promise<void> => {
    const cipher = await vault.unlock(account);
    await table.update({
      Key: itemKeys.gatewayToken(account.id, method),
      UpdateExpression: 'SET #token = :token, grantedMs = :granted, expiresAt = :expires, #entity = :entity',
      ConditionExpression: 'attribute_not_exists(PK) OR grantedMs <= :granted',
      ExpressionAttributeNames: { '#token': 'token', '#entity': 'entity' },
      ExpressionAttributeValues: {
        ':token': cipher.seal(place(account, method), JSON.stringify(token)),
        ':granted': token.grantedMs,
        ':expires': Math.ceil(token.grantedMs / 1_000) + keptSeconds,
        ':entity': 'gateway-token',
      },
    });
  },
});

export type GatewayTokenStore = ReturnType<typeof gatewayTokenStore>;
