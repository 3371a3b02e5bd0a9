import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { changed, type KeptContact } from '../../contacts/contact.ts';
import { newId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { newEmail, newText } from '../../messages/new-message.ts';
import { raiseCreditShards } from '../accounts/credit-shards.ts';
import { itemKeys } from '../keys.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** The contact that a send to a new recipient creates, a second later than the one before. */
const created = async (n: number): Promise<KeptContact> => {
  const email = `reader${n}@example.com`;
  await acceptEmail(world, account.ref, newEmail({ channel: 'email', to: email }, newId(startMs + n * 1_000)));
  const id = (await world.contacts.idByAddress(account.ref, { email })) ?? '';
  const contact = await world.contacts.find(account.ref, id);
  if (!contact) throw new Error('the contact is missing');
  return contact;
};

const rowsOf = async (id: string): Promise<string[]> =>
  (await world.scan())
    .filter(({ PK, SK }) => String(PK).startsWith(`A#${account.ref.id}#IX#`) && String(SK).endsWith(id))
    .map(({ PK }) =>
      String(PK)
        .slice(`A#${account.ref.id}#IX#`.length)
        .replace(/#[\w-]{40,}$/, ''),
    )
    .sort();

const everything = {
  filter: { terms: [], tags: [] },
  sortBy: 'createdAt',
  sortOrder: 'asc',
  offset: 0,
  limit: 100,
} as const;
type Wanted = Partial<Parameters<World['contacts']['list']>[1]>;
const listed = async (wanted: Wanted = {}) => {
  const { contacts, total } = await world.contacts.list(account.ref, { ...everything, ...wanted });
  return { ids: contacts.map(({ id }) => id), total };
};
const filtered = (filter: object): Wanted => ({ filter: { ...everything.filter, ...filter } });

it('a contact that a send created stands in one row until it changes, and every list has it in its place', async () => {
  account = await world.newAccount();
  const [first, second, third] = [await created(1), await created(2), await created(3)];
  const ids = [first.id, second.id, third.id];
  expect(await rowsOf(first.id)).toEqual(['send']);
  const inOrder = { ids, total: 3 };
  for (const wanted of [
    {},
    { sortBy: 'updatedAt' },
    filtered({ status: 'active' }),
    filtered({ source: 'api' }),
  ] as const)
    expect(await listed(wanted)).toEqual(inOrder);

  await world.contacts.change(account.ref, first.id, (before) =>
    changed(before, { firstName: 'Ada' }, startMs + 60_000),
  );
  expect(await rowsOf(first.id)).toEqual(['source', 'status#active', 'updated', 'word']);
  expect(await listed()).toEqual(inOrder);
  for (const filter of [{ status: 'active' }, { source: 'api' }])
    expect(await listed(filtered(filter))).toEqual(inOrder);
  expect(await listed({ sortBy: 'updatedAt' })).toEqual({ ids: [second.id, third.id, first.id], total: 3 });

  await world.contacts.setStatus(account.ref, second.id, 'bounced', startMs + 61_000);
  expect(await rowsOf(second.id)).toEqual(['source', 'status#bounced', 'updated']);
  expect(await listed(filtered({ status: 'active' }))).toEqual({ ids: [first.id, third.id], total: 2 });
  await world.contacts.retire(account.ref, third.id, startMs + 62_000);
  expect(await rowsOf(third.id)).toEqual([]);
  expect(await listed(filtered({ source: 'api' }))).toEqual({ ids: [first.id, second.id], total: 2 });
});

it('a new score leaves a contact in its one row', async () => {
  account = await world.newAccount();
  const { id } = await created(1);
  await world.contacts.scoreOnce(account.ref, id, 'opened', (before) => ({ ...before, score: 55 }));
  await world.contacts.change(account.ref, id, (before) => ({ ...before, score: 60 }));
  expect(await rowsOf(id)).toEqual(['send']);
  expect((await listed({ sortBy: 'updatedAt' })).ids).toEqual([id]);
});

it('a list has a contact once that changes for the first time while it is read', async () => {
  account = await world.newAccount();
  const ids = [(await created(1)).id, (await created(2)).id];
  let isChanged = false;
  const stop = world.calls.tap('change', (next) => async (name, input) => {
    const answer = await next(name, input);
    if (!isChanged && JSON.stringify(input).includes('#IX#')) {
      isChanged = true;
      await world.contacts.change(account.ref, ids[0] ?? '', (before) => changed(before, { tags: ['vip'] }, startMs));
    }
    return answer;
  });
  const found = await listed(filtered({ status: 'active' }));
  stop();
  expect([isChanged, found.ids]).toEqual([true, ids]);
});

it('a contact that the release before changed in its one row stands in its own rows after its next change', async () => {
  account = await world.newAccount();
  const { id } = await created(1);
  const updatedAt = iso(startMs + 60_000);
  // That release wrote the row of the update only, because no other had changed for it.
  await world.table.update({
    Key: itemKeys.contact(account.ref.id, id),
    UpdateExpression: 'SET updatedAt = :updatedAt',
    ExpressionAttributeValues: { ':updatedAt': updatedAt },
  });
  await world.table.put({ Item: { ...itemKeys.contactByUpdate(account.ref.id, updatedAt, id) } });
  for (const sortOrder of ['asc', 'desc'] as const)
    expect(await listed({ sortBy: 'updatedAt', sortOrder })).toEqual({ ids: [id], total: 1 });
  await world.contacts.change(account.ref, id, (before) => changed(before, { tags: ['vip'] }, startMs));
  expect(await rowsOf(id)).toEqual(['source', 'status#active', 'tag', 'updated']);
  expect(await listed({ sortBy: 'updatedAt' })).toEqual({ ids: [id], total: 1 });
});

it('a contact that the release before unsubscribed is not listed as active, although its one row is left', async () => {
  account = await world.newAccount();
  const [left, stays] = [await created(1), await created(2)];
  await world.table.update({
    Key: itemKeys.contact(account.ref.id, left.id),
    UpdateExpression: 'SET #status = :status, updatedAt = :updatedAt',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': 'unsubscribed', ':updatedAt': iso(startMs + 60_000) },
  });
  expect((await listed(filtered({ status: 'active' }))).ids).toEqual([stays.id]);
});

it('contacts of sends are counted with the credits that these take, whichever shard pays, and where a send takes none', async () => {
  account = await world.newAccount({ credits: { email: 100 } });
  await raiseCreditShards(world.table, account.ref.id, 8);
  for (let n = 0; n < 12; n += 1) await created(n);
  const items = await world.scan();
  const countedBy = (kind: string) =>
    items.filter(({ PK, SK }) => `${PK}#${SK}`.startsWith(`A#${account.ref.id}#`) && `${PK}#${SK}`.includes(kind));
  expect(countedBy('#CREDITS').reduce((sum, { contacts = 0 }) => sum + Number(contacts), 0)).toBe(12);
  expect(countedBy('#CONTACTS#COUNT')).toEqual([]);
  expect((await listed()).total).toBe(12);

  const contact = { phone: '+8801712345678' };
  const context = await world.sends.read(account.ref, { channel: 'whatsapp', contact });
  const message = newText({ channel: 'whatsapp', to: contact.phone }, newId(startMs + 60_000), 'Hello', 'masked');
  expect(message.price.credits).toBe(0);
  expect(await world.sends.write(account.ref, { message, contact, text: 'Hello' }, context, undefined)).toBe(
    'accepted',
  );
  expect((await listed()).total).toBe(13);
  expect((await listed(filtered({ status: 'bounced' }))).total).toBe(0);
});

it('a send that is refused leaves nothing of the contact that it would have created', async () => {
  account = await world.newAccount({ credits: { email: 0 } });
  const before = (await world.scan()).length;
  const message = newEmail({ channel: 'email', to: 'nobody@example.com' }, newId(startMs));
  expect(await acceptEmail(world, account.ref, message)).toBe('unfunded');
  expect(await world.scan()).toHaveLength(before);
});
