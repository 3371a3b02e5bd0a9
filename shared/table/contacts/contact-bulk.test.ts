import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../../../test/world.ts';
import { detailsOf } from '../../contacts/contact.ts';
import { newId } from '../../kit/id.ts';
import { contactBulk } from './contact-bulk.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('knows the contact that its earlier attempt created, also where one read of both saw its address only', async () => {
  const { ref } = await world.newAccount();
  const nowMs = Date.now();
  const contact = { id: newId(nowMs), details: detailsOf({ email: 'ada@example.com' }) };
  await world.contacts.create(ref, contact, nowMs);
  let reads = 0;
  const getAll: World['table']['getAll'] = async (keys) => {
    if (keys.length > 0) reads += 1;
    const items = await world.table.getAll(keys);
    return reads > 1 ? items : items.map((item) => (item?.['entity'] === 'contact-account' ? undefined : item));
  };
  const { createAll } = contactBulk({ ...world.table, getAll }, world.vault);
  expect(await createAll(ref, [contact], nowMs)).toEqual([{ id: contact.id, taken: [] }]);
  expect(reads).toBe(2);
});

it.each([{ email: 'ada@example.com' }, { phone: '+8801799000001' }])(
  'knows the contact that its earlier attempt created and that was retired since, with %o: it is neither a duplicate of itself nor created again',
  async (fields) => {
    const { ref } = await world.newAccount();
    const nowMs = Date.now();
    const contact = { id: newId(nowMs), details: detailsOf(fields) };
    const { createAll } = contactBulk(world.table, world.vault);
    await createAll(ref, [contact], nowMs);
    await world.contacts.retire(ref, contact.id, nowMs);
    expect(await createAll(ref, [contact], nowMs)).toEqual([{ id: contact.id, taken: [] }]);
  },
);

it('a later row with the phone of one that was retired since is a duplicate, as in the earlier attempt', async () => {
  const { ref } = await world.newAccount();
  const nowMs = Date.now();
  const rows = [1, 2].map((n) => ({
    id: newId(nowMs),
    details: detailsOf({ phone: '+8801799000001', firstName: `${n}` }),
  }));
  const { createAll } = contactBulk(world.table, world.vault);
  const outcomes = await createAll(ref, rows, nowMs);
  await world.contacts.retire(ref, outcomes[0]?.id ?? '', nowMs);
  const again = await createAll(ref, rows, nowMs);
  expect(again).toEqual(outcomes);
  expect(again.map(({ taken }) => taken.length)).toEqual([0, 1]);
});
