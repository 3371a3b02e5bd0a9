import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { contactCalls } from '../../../test/contacts-calls.ts';
import { exportCalls } from '../../../test/export-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('GET /contacts/export', () => {
  it('202 writes the contacts that pass the filters, oldest first, without formulas, and none of another account', async () => {
    const [{ key }, other] = [await world.newAccount(), await world.newAccount()];
    const contacts = contactCalls(world);
    await contacts.create(other.key, { email: 'other@example.com' });
    const ada = { email: 'ada@example.com', phone: '+8801700000001', firstName: '=cmd()', tags: ['vip', 'a,b'] };
    const customFields = new JsonText('{"plan":"pro","n":12345678901234567890}');
    const first = (await contacts.create(key, { ...ada, customFields })).body.data;
    const second = (await contacts.create(key, { email: 'bob@example.com', source: 'web' })).body.data;
    const { rows, begin } = exportCalls(world, key)('contacts');
    const [header, ...all] = await rows();
    expect(header?.join()).toBe(
      'id,email,phone,firstName,lastName,tags,source,customFields,status,createdAt,updatedAt',
    );
    expect(all).toEqual([
      [
        first.id,
        ada.email,
        ada.phone,
        "'=cmd()",
        '',
        'vip;a,b',
        '',
        customFields.text,
        'active',
        first.createdAt,
        first.updatedAt,
      ],
      [second.id, second.email, '', '', '', '', 'web', '', 'active', second.createdAt, second.updatedAt],
    ]);
    for (const query of [
      { source: 'web' },
      { search: 'bob@example.com' },
      { createdAfter: second.createdAt, status: 'ACTIVE' },
    ] as Record<string, string>[])
      expect((await rows(query)).slice(1).map(([id]) => id)).toEqual([second.id]);
    expect((await rows({ tags: 'vip,x' })).slice(1).map(([id]) => id)).toEqual([first.id]);
    expect(await rows({ createdBefore: '2020-01-01' })).toHaveLength(1);
    expect(await rows({ minEngagementScore: '101' })).toHaveLength(1);
    expect(await rows({ minEngagementScore: '-1' })).toHaveLength(3);
    expect((await begin({ status: 'active' })).status).toBe(400);
  });

  it('202 writes every contact once, over several pages', async () => {
    const { key } = await world.newAccount();
    const contacts = Array.from({ length: 510 }, (_, n) => ({ email: `p${n}@example.com` }));
    await contactCalls(world).createAll(key, contacts);
    const [, ...rows] = await exportCalls(world, key)('contacts').rows();
    expect(rows.map(([, email]) => email)).toEqual(contacts.map(({ email }) => email));
  });
});
