import { fileKeys } from '../../shared/table/transfers/file-keys.ts';
import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import type { Export, Exporters } from './exporters.ts';
import type { Fields } from './table/value.ts';
import type { World } from './world.ts';

/** What a row of a list was in the time of an export, one after the other; undefined: not there. */
type Versions = readonly (Readonly<Record<string, unknown>> | undefined)[];

const entities = { contacts: 'contact', messages: 'message' } as const;

/** What came of the exports of an account, and what there was to export. */
export const exportFactsOf = async (
  world: World,
  { inside }: Code,
  exporters: Exporters | undefined,
  { ref }: Account,
) => {
  const own = (exporters?.exports ?? []).filter(({ account }) => account.ref.id === ref.id);
  if (own.length === 0) return [];
  const cipher = await inside.vaultOf().unlock(ref);
  const opened = {
    contacts: (item: Fields) => inside.contactFrom(ref.id, cipher, item),
    messages: (item: Fields) => item,
  };

  const rowsOf = ({ of, changes: { from, to } }: Export): ReadonlyMap<string, Versions> => {
    const rows = new Map<string, Versions>();
    for (const [n, { before, after }] of world.changes.entries()) {
      const { entity, account, SK } = { ...(after ?? before) };
      if (n >= to || entity !== entities[of] || account !== ref.id) continue;
      const earlier = n < from ? [] : (rows.get(String(SK)) ?? [undefined]);
      rows.set(String(SK), [...earlier, after && { ...opened[of](after) }]);
    }
    return rows;
  };

  const nowMs = world.timeline.nowMs();
  const begun = own.flatMap((made) => (made.begun ? [{ made, id: made.begun.id }] : []));
  return Promise.all(
    begun.map(async ({ made, id }) => {
      const exports = made.of === 'contacts' ? inside.stores.contactExports() : inside.stores.messageExports();
      const found = await exports.find(ref, id, nowMs);
      return {
        made,
        status: found?.status,
        count: found?.rows,
        file: world.bucket.find(fileKeys.export(ref.id, id)),
        rows: rowsOf(made),
      };
    }),
  );
};
