import type { CheckoutSession } from '../../checkout/session.ts';
import type { Cipher } from '../../kit/cipher.ts';
import type { Item, Table } from '../table.ts';
import { bodyKeyOf, sessionFrom } from './checkout-items.ts';

/**
 * The sessions of these rows, with one more read for all large ones together. Undefined: there is no row, or what lies beside it is deleted
 * already, and the row is about to be.
 */
export const openSessions = async (
  table: Pick<Table, 'getAll'>,
  cipher: Cipher,
  rows: readonly (Item | undefined)[],
): Promise<(CheckoutSession | undefined)[]> => {
  const bodies = await table.getAll(rows.map((row) => row && bodyKeyOf(row)));
  return rows.map((row, n) =>
    row && (bodies[n] || !bodyKeyOf(row)) ? sessionFrom(cipher, row, bodies[n]) : undefined,
  );
};
