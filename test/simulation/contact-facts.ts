import { contactStatuses, startStatus } from '../../shared/contacts/contact.ts';
import type { ItemKey } from '../../shared/table/keys.ts';
import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import type { World } from './world.ts';

/** The contacts of an account, what else there is of them, and what there should be. */
export const contactFactsOf = async ({ table }: World, inside: Code['inside'], ref: Account['ref']) => {
  const cipher = await inside.vaultOf().unlock(ref);
  const all = table.all();
  const readAll = (kind: string) =>
    all
      .filter(({ entity, account }) => entity === kind && account === ref.id)
      .map((item) => inside.contactFrom(ref.id, cipher, item));
  const [kept, retired] = [readAll('contact'), readAll('retired-contact')];
  const expected = [
    ...kept.flatMap((each) => [...inside.indexRows(ref.id, cipher, each), ...inside.lockItems(ref.id, cipher, each)]),
    ...retired.flatMap((each) =>
      inside.lockItems(ref.id, cipher, each).filter(({ holds }) => inside.holdsWhenRetired[holds]),
    ),
  ];
  const nameOf = ({ PK, SK }: ItemKey) => `${PK} ${SK}`;
  const there = all.filter(
    ({ PK, entity }) =>
      String(PK).startsWith(`A#${ref.id}#IX#`) || (entity === 'contact-lock' && String(PK).startsWith(`A#${ref.id}#`)),
  );
  const shards = all.filter(({ PK }) => PK === `A#${ref.id}#CONTACTS`);
  const credits = all.filter(({ PK, SK }) => SK === 'CREDITS' && `${PK}#`.startsWith(`A#${ref.id}#`));
  const sumOf = (items: typeof all, name: string) => items.reduce((sum, item) => sum + Number(item[name] ?? 0), 0);
  // Contacts are active when a send creates them.
  const countOf = (status: string) => sumOf(shards, status) + (status === startStatus ? sumOf(credits, 'contacts') : 0);
  return {
    kept,
    retired,
    expected: expected.map(nameOf),
    there: there.map(({ PK, SK }) => nameOf({ PK: String(PK), SK: String(SK) })),
    counted: new Map(contactStatuses.map((status) => [status, countOf(status)])),
  };
};

export type ContactFacts = Awaited<ReturnType<typeof contactFactsOf>>;
