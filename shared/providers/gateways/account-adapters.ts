import * as z from 'zod';
import type { FindAdapter, GatewayAdapter } from '../../checkout/gateway-adapter.ts';
import type { AcceptanceMethod } from '../../checkout/methods.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { GatewayTokenStore } from '../../table/checkout/gateway-token-store.ts';
import type { MethodStore } from '../../table/checkout/method-store.ts';
import { bkashAdapter } from './bkash.ts';
import { sslcommerzAdapter } from './sslcommerz.ts';

interface AccountAdaptersNeeds {
  readonly methods: Pick<MethodStore, 'find'>;
  readonly tokens: GatewayTokenStore;
  /** Where gateways are called instead of at their own hosts. Empty: there. */
  readonly urls: { readonly sslcommerz: string; readonly bkash: string };
}

const store = z.object({ storeId: z.string(), storePassword: z.string() });
const merchant = z.object({ username: z.string(), password: z.string(), appKey: z.string(), appSecret: z.string() });

/**
 * The gateways that take real money, each with the credentials of the method that a payment was begun with, as they are now. Those of a warm
 * function are kept, because of what they know of their tokens.
 */
export const accountAdapters = ({ methods, tokens, urls }: AccountAdaptersNeeds): FindAdapter => {
  const kept = new Map<string, { readonly credentials: string; readonly gateway: GatewayAdapter | undefined }>();

  const make = (account: AccountRef, { id, gatewayCode, credentials, livemode }: AcceptanceMethod) => {
    switch (gatewayCode) {
      case 'sslcommerz':
        return sslcommerzAdapter(store.parse(credentials), { livemode, baseUrl: urls.sslcommerz || undefined });
      case 'bkash':
        return bkashAdapter(merchant.parse(credentials), {
          livemode,
          baseUrl: urls.bkash || undefined,
          tokens: tokens(account, id),
        });
      default:
        return undefined;
    }
  };

  return async (account, { gatewayCode, acceptanceMethodId }) => {
    const method = await methods.find(account, acceptanceMethodId);
    if (method?.gatewayCode !== gatewayCode) return undefined;
    const credentials = JSON.stringify(method.credentials);
    const known = kept.get(method.id);
    if (known?.credentials === credentials) return known.gateway;
    const gateway = make(account, method);
    kept.set(method.id, { credentials, gateway });
    return gateway;
  };
};
