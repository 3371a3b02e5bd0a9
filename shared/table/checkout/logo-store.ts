import { createHash } from 'node:crypto';
import type { ImageType, Logo } from '../../checkout/logo.ts';
import { itemKeys } from '../keys.ts';
import type { Table } from '../table.ts';

const shape = /^[0-9a-f]{32}$/;

/** Logos of merchants, in the clear, because every payer sees them. */
export const logoStore = (table: Table) => ({
  /** The id follows from account and image: an address always has the same image. */
  add: async (accountId: string, { type, bytes }: Logo): Promise<string> => {
    const id = createHash('sha256').update(`${accountId}\n`).update(bytes).digest('hex').slice(0, 32);
    await table.put({ Item: { ...itemKeys.logo(id), entity: 'logo', account: accountId, type, bytes } });
    return id;
  },

  find: async (id: string): Promise<Logo | undefined> => {
    const item = shape.test(id) ? await table.get(itemKeys.logo(id)) : undefined;
    return item && { type: item['type'] as ImageType, bytes: item['bytes'] as Uint8Array };
  },
});

export type LogoStore = ReturnType<typeof logoStore>;
