import { fileKeys } from '../../shared/table/transfers/file-keys.ts';
import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import type { ContactFile, RowDetails } from './contact-file.ts';
import type { Importers } from './importers.ts';
import type { World } from './world.ts';

/** Which contact has an address; undefined: none. */
interface Holding {
  /** How many changes of the table came before. */
  readonly from: number;
  readonly contact: string | undefined;
}

/** What became of the imports of an account, and who had the addresses of their rows. */
export const importFactsOf = async (
  world: World,
  { inside }: Code,
  importers: Importers | undefined,
  { ref }: Account,
) => {
  const own = (importers?.imports ?? []).filter(({ account }) => account.ref.id === ref.id);
  if (own.length === 0) return [];
  const cipher = await inside.vaultOf().unlock(ref);
  const nowMs = world.timeline.nowMs();
  const holdings = new Map<string, Holding[]>();
  for (const [from, { before, after }] of world.changes.entries()) {
    const { entity, PK } = { ...(after ?? before) };
    if (entity !== 'contact-lock') continue;
    const place = String(PK);
    const contact = after && String(after['contactId']);
    holdings.set(place, [...(holdings.get(place) ?? []), { from, contact }]);
  }

  /** The contacts that had an address at some time of an import, one after the other. */
  const holdersOf = (place: string, { from, to }: { readonly from: number; readonly to: number }) => {
    const all = [{ from: -1, contact: undefined }, ...(holdings.get(place) ?? [])];
    return all.filter((one, n) => one.from < to && (all[n + 1]?.from ?? to) >= from).map(({ contact }) => contact);
  };

  const addressesOf = (details: RowDetails | undefined, changes: { readonly from: number; readonly to: number }) =>
    (details ? inside.lockItems(ref.id, cipher, { id: '', ...details }) : []).map(({ PK, holds }) => ({
      field: holds,
      holders: holdersOf(PK, changes),
    }));

  return Promise.all(
    own.map(async (made) => {
      const id: string | undefined = made.answers.find(({ status }) => status === 202)?.body.data.id;
      const files: readonly ContactFile[] = made.uploads.map(({ file }) => file);
      return {
        made,
        id,
        state: id === undefined ? undefined : await inside.stores.contactImports().find(ref, id, nowMs),
        file: id === undefined ? undefined : world.bucket.find(fileKeys.import(ref.id, id)),
        refused: id === undefined ? undefined : world.bucket.find(fileKeys.refused(ref.id, id)),
        /** Of each row of each file: who had its addresses. */
        held: files.map(({ rows }) => rows.map(({ details }) => addressesOf(details, made.changes))),
      };
    }),
  );
};
