import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../../../infra/local/emulators/seeded-random.ts';
import { anyCharacter } from '../../../test/any-character.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { newId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import { newTemplate, type Template, type TemplateBody, whatsappStatuses } from '../../templates/template.ts';
import { templateSync } from '../../templates/template-sync.ts';
import { everyId } from '../every-id.ts';
import { itemKeys, partitions } from '../keys.ts';
import type { Table } from '../table.ts';
import { sendableKeys, templateStore } from './template-store.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const email = (name = 'Receipt') => newTemplate({ channel: 'email', name, subject: 'Your receipt' }, newId(Date.now()));
const contentOf = async ({ id }: Template) =>
  (await world.sends.read(account.ref, { channel: 'email', templateId: id })).template?.content;

/** A whatsapp template as a sync brings it. */
const synced = (whatsappStatus: Template['whatsappStatus'], updatedAtMs = Date.now()): Template => ({
  id: newId(Date.now()),
  channel: 'whatsapp',
  locale: 'bn-BD',
  name: 'order_update',
  description: null,
  variables: ['1'],
  isActive: whatsappStatus === 'APPROVED',
  whatsappStatus,
  createdAt: iso(updatedAtMs - 1_000),
  updatedAt: iso(updatedAtMs),
});

describe('a body', () => {
  it('comes back whole, in any script', async () => {
    const body = fc.record({ html: fc.string({ unit: anyCharacter }), text: fc.string({ unit: anyCharacter }) });
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const template = await world.templates.create(account.ref, email(), sent);
        expect(await contentOf(template)).toEqual({ subject: 'Your receipt', ...sent });
      }),
      { numRuns: 20 },
    );
  });

  it('comes back whole at 200,000 characters that hardly compress', async () => {
    const random = randomFrom(1);
    const wide = () => String.fromCodePoint(0x10000 + Math.floor(random() * 0x100000));
    const html = Array.from({ length: 200_000 }, wide).join('');
    const template = await world.templates.create(account.ref, email(), { html, text: undefined });
    const row = await world.table.get(itemKeys.template(account.ref.id, template.id));
    expect(row?.['parts']).toBeGreaterThan(1);
    expect((await contentOf(template))?.html === html).toBe(true);
  });

  it('of 200,000 ordinary characters is one item', async () => {
    const html = '<p>Thank you for your order, {{name}}.</p>\n'.repeat(5_000).slice(0, 200_000);
    const template = await world.templates.create(account.ref, email(), { html, text: undefined });
    expect((await world.table.get(itemKeys.template(account.ref.id, template.id)))?.['parts']).toBe(1);
    expect((await contentOf(template))?.html).toBe(html);
  });

  it('keeps surrogates that have lost their other half', async () => {
    const body = { html: '\ud83d<p>', text: '\ude00' };
    expect(await contentOf(await world.templates.create(account.ref, email(), body))).toMatchObject(body);
  });

  const changed = async () => {
    const { id } = await world.templates.create(account.ref, email(), { text: 'before' });
    const [, bodyBefore] = await world.table.getAll(sendableKeys(account.ref.id, id));
    await world.templates.change(account.ref, id, (before) => ({ ...before, content: { text: 'after' } }));
    return { id, bodyBefore };
  };

  it('comes back whole when it changes within one read, which reads the body before the change and the row after it', async () => {
    const { id, bodyBefore } = await changed();
    let reads = 0;
    const getAll: Table['getAll'] = async (keys) => {
      const found = await world.table.getAll(keys);
      reads += 1;
      return reads === 1 ? [found[0], bodyBefore] : found;
    };
    const found = await templateStore({ ...world.table, getAll }, world.vault).findWhole(account.ref, id);
    expect(found?.content.text).toBe('after');
  });

  it('comes back whole when a change of it is seen a part after the other, by several reads', async () => {
    const { id, bodyBefore } = await changed();
    let reads = 0;
    const getAll: Table['getAll'] = async (keys) => {
      const found = await world.table.getAll(keys);
      if (keys.length > 0) reads += 1;
      return keys.length > 0 && reads <= 3 ? [found[0], bodyBefore] : found;
    };
    const found = await templateStore({ ...world.table, getAll }, world.vault).findWhole(account.ref, id);
    expect(found?.content.text).toBe('after');
  });

  it('comes back as it was in a version also where that ends while it is read', async () => {
    const { id } = await world.templates.create(account.ref, email(), { text: 'first' });
    const [rowBefore] = await world.table.getAll(sendableKeys(account.ref.id, id));
    await world.templates.change(account.ref, id, (before) => ({ ...before, content: { text: 'second' } }));
    let reads = 0;
    const getAll: Table['getAll'] = async (keys) => {
      const found = await world.table.getAll(keys);
      reads += 1;
      return reads === 1 ? [rowBefore, found[1]] : found;
    };
    const found = await templateStore({ ...world.table, getAll }, world.vault).findWhole(account.ref, id, 1);
    expect(found?.content.text).toBe('first');
  });

  it('comes back as it was in a version also where that is seen later than the change that ended it', async () => {
    const { id } = await changed();
    let reads = 0;
    const getAll: Table['getAll'] = async (keys) => {
      const found = await world.table.getAll(keys);
      if (keys.length > 0) reads += 1;
      return reads === 2 ? keys.map(() => undefined) : found;
    };
    const store = templateStore({ ...world.table, getAll }, world.vault);
    expect((await store.findWhole(account.ref, id, 1))?.content.text).toBe('before');
    expect(await store.findWhole(account.ref, id, 3)).toBeUndefined();
  });

  it('that is not whole is an error', async () => {
    const { id } = await world.templates.create(account.ref, email(), { text: 'before' });
    await world.table.remove(itemKeys.templateBody(account.ref.id, id, 0));
    await expect(world.templates.findWhole(account.ref, id)).rejects.toThrow('not whole');
  });

  it('is sealed, and the names with it', async () => {
    const template = await world.templates.create(account.ref, email('Secret name'), { text: 'Secret body' });
    const items = await world.table.getAll([
      itemKeys.template(account.ref.id, template.id),
      itemKeys.templateBody(account.ref.id, template.id, 0),
    ]);
    for (const item of items) {
      expect(Buffer.from(item?.['sealed'] as Uint8Array).length).toBeGreaterThan(0);
      expect(JSON.stringify(item)).not.toContain('Secret');
      expect(Buffer.from(item?.['sealed'] as Uint8Array).includes('Secret')).toBe(false);
    }
  });

  it('does not open in the place of another', async () => {
    const [mine, other] = await Promise.all(
      ['mine', 'other'].map((text) => world.templates.create(account.ref, email(), { text })),
    );
    const stolen = await world.table.get(itemKeys.templateBody(account.ref.id, other?.id ?? '', 0));
    await world.table.put({ Item: { ...stolen, ...itemKeys.templateBody(account.ref.id, mine?.id ?? '', 0) } });
    await expect(contentOf(mine ?? email())).rejects.toThrow();
  });
});

describe('create', () => {
  it('leaves what an earlier try has written, and gives it', async () => {
    const first = email('First');
    await world.templates.create(account.ref, first, { text: 'first' });
    const second = { ...email('Second'), id: first.id };
    expect(await world.templates.create(account.ref, second, { text: 'second' })).toEqual(first);
    expect((await contentOf(first))?.text).toBe('first');
  });

  it('writes once when two try at the same time', async () => {
    const { id } = email();
    const tries = ['a', 'b', 'c'].map((name) =>
      world.templates.create(account.ref, { ...email(name), id }, { text: name }),
    );
    const given = new Set((await Promise.all(tries)).map(({ name }) => name));
    expect([...given]).toEqual([(await world.templates.find(account.ref, id))?.name]);
  });
});

describe('put', () => {
  it.each(whatsappStatuses)('keeps a synced whatsapp template that is %s', async (whatsappStatus) => {
    const { ref } = await world.newAccount();
    const template = synced(whatsappStatus);
    await world.templates.put(ref, template, { text: 'Your order {{1}} is on its way.' });
    expect(await world.templates.find(ref, template.id)).toEqual(template);
    expect(await world.templates.list(ref)).toEqual([template]);
    expect(await world.templates.list(ref, 'whatsapp')).toEqual([template]);
    expect(await world.templates.list(ref, 'email')).toEqual([]);
  });

  it('replaces what was synced before, its body too', async () => {
    const before = synced('PENDING');
    const after: Template = { ...before, isActive: true, whatsappStatus: 'APPROVED', updatedAt: iso(Date.now() + 1) };
    const bodies: TemplateBody[] = [{ text: 'before' }, { text: 'after' }];
    for (const [n, template] of [before, after].entries())
      expect(await world.templates.put(account.ref, template, bodies[n] ?? {}, n === 0 ? undefined : before)).toBe(
        true,
      );
    expect(await world.templates.find(account.ref, before.id)).toEqual(after);
    expect((await contentOf(after))?.text).toBe('after');
  });

  it('is read with the text of its state when it changes within one read, which reads the row before the change and the body after it', async () => {
    const before = synced('APPROVED');
    const after: Template = { ...before, isActive: false, whatsappStatus: 'PENDING', updatedAt: iso(Date.now() + 1) };
    await world.templates.put(account.ref, before, { text: 'approved' });
    const [rowBefore] = await world.table.getAll(sendableKeys(account.ref.id, before.id));
    await world.templates.put(account.ref, after, { text: 'pending' }, before);
    let reads = 0;
    const getAll: Table['getAll'] = async (keys) => {
      const found = await world.table.getAll(keys);
      reads += 1;
      return reads === 1 ? [rowBefore, found[1]] : found;
    };
    const found = await templateStore({ ...world.table, getAll }, world.vault).findWhole(account.ref, before.id);
    expect(found).toMatchObject({ template: after, content: { text: 'pending' } });
  });
});

describe('a decision of Meta', () => {
  it('keeps the text that a sync has brought meanwhile', async () => {
    const { ref } = await world.newAccount();
    const remote = { name: 'order', language: 'en', status: 'PENDING', text: 'before' };
    const sync = (text: string) =>
      templateSync(world.templates).sync(
        ref,
        async () => ({ kind: 'listed', templates: [{ ...remote, text }] }),
        Date.now(),
      );
    await sync('before');
    let isSynced = false;
    const transact: Table['transact'] = async (writes) => {
      if (!isSynced) {
        isSynced = true;
        await sync('after');
      }
      return world.table.transact(writes);
    };
    const late = templateSync(templateStore({ ...world.table, transact }, world.vault));
    expect(await late.decide(ref, { ...remote, status: 'APPROVED' }, Date.now())).toBe(true);
    const [{ id = '' } = {}] = await world.templates.list(ref);
    const found = await world.templates.findWhole(ref, id);
    expect(found).toMatchObject({ template: { whatsappStatus: 'APPROVED' }, content: { text: 'after' } });
  });
});

describe('a sync', () => {
  it('writes several templates at a time, and each once', async () => {
    const { ref } = await world.newAccount();
    let [running, most] = [0, 0];
    const transact: Table['transact'] = async (writes) => {
      running += 1;
      most = Math.max(most, running);
      const refused = await world.table.transact(writes);
      running -= 1;
      return refused;
    };
    const names = Array.from({ length: 25 }, (_, n) => `order_${n}`);
    const templates = names.map((name) => ({ name, language: 'en', status: 'APPROVED', text: name }));
    const sync = templateSync(templateStore({ ...world.table, transact }, world.vault));
    const run = () => sync.sync(ref, async () => ({ kind: 'listed', templates }), Date.now());
    expect(await run()).toEqual({ kind: 'synced', synced: 25, changed: 25 });
    expect(most).toBe(10);
    expect(await run()).toEqual({ kind: 'synced', synced: 25, changed: 0 });
    expect((await world.templates.list(ref)).map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  it('keeps its time behind the templates, where no list reads it', async () => {
    const { ref } = await world.newAccount();
    await templateSync(world.templates).sync(ref, async () => ({ kind: 'listed', templates: [] }), 1);
    expect(await world.templates.syncedMs(ref)).toBe(1);
    expect(await world.table.query(partitions.templates(ref.id), { ...everyId, newestFirst: true })).toEqual([]);
  });

  it('does not undo what was decided, or synced, while Meta was asked: it asks again', async () => {
    const { ref } = await world.newAccount();
    const sync = templateSync(world.templates);
    let now = { name: 'order', language: 'en', status: 'PENDING', text: 'before' };
    let [nowMs, asked] = [Date.now(), 0];
    const ask = async (meanwhile?: () => Promise<unknown>) => {
      const templates = [now];
      nowMs += 1;
      asked += 1;
      if (asked === 1) await meanwhile?.();
      return { kind: 'listed' as const, templates };
    };
    const stored = async () => {
      const [{ id = '' } = {}] = await world.templates.list(ref);
      return world.templates.findWhole(ref, id);
    };
    const syncs = async (meanwhile?: () => Promise<unknown>) => {
      asked = 0;
      return sync.sync(ref, () => ask(meanwhile), nowMs);
    };
    expect(await syncs()).toEqual({ kind: 'synced', synced: 1, changed: 1 });

    now = { ...now, text: 'edited' };
    const approved = async () => {
      now = { ...now, status: 'APPROVED' };
      await sync.decide(ref, now, nowMs);
    };
    expect(await syncs(approved)).toEqual({ kind: 'synced', synced: 1, changed: 1 });
    expect([asked, await stored()]).toMatchObject([
      2,
      { template: { whatsappStatus: 'APPROVED' }, content: { text: 'edited' } },
    ]);

    now = { ...now, text: 'older' };
    const edited = async () => {
      now = { ...now, text: 'newer' };
      await sync.sync(ref, async () => ({ kind: 'listed', templates: [now] }), nowMs);
    };
    expect(await syncs(edited)).toEqual({ kind: 'synced', synced: 1, changed: 0 });
    expect([asked, await stored()]).toMatchObject([2, { content: { text: 'newer' } }]);

    const busy = () =>
      sync.sync(ref, async () => ({ kind: 'listed', templates: [{ ...now, text: iso(nowMs) }] }), nowMs);
    let tries = 0;
    const always = async () => {
      [asked, tries] = [0, tries + 1];
      return ask(busy);
    };
    now = { ...now, text: 'newest' };
    const begunMs = nowMs;
    expect(await sync.sync(ref, always, begunMs)).toMatchObject({ kind: 'synced', changed: 0 });
    expect(tries).toBe(3);
    // Its own time does not count, because it has left something to change.
    expect(await world.templates.syncedMs(ref)).toBeGreaterThan(begunMs);
  });
});

describe('list', () => {
  it('is channel by channel, the newest-updated first in each, the newer id first where that is equal', async () => {
    const { ref } = await world.newAccount();
    const updates = [3, 1, 2, 2];
    const all = (['whatsapp', 'sms', 'email'] as const).flatMap((channel) =>
      updates.map((atMs): Template => ({ ...synced('APPROVED', atMs), channel })),
    );
    for (const template of all) await world.templates.put(ref, template, { text: 't' });
    const listed = await world.templates.list(ref);
    const wanted = (['email', 'sms', 'whatsapp'] as const).flatMap((channel) =>
      all
        .filter((template) => template.channel === channel)
        .sort((a, b) => (a.updatedAt + a.id < b.updatedAt + b.id ? 1 : -1)),
    );
    expect(listed).toEqual(wanted);
    expect(await world.templates.list(ref, 'sms')).toEqual(wanted.filter(({ channel }) => channel === 'sms'));
  });

  it('shows all of more than a megabyte of templates, without their bodies', async () => {
    const { ref } = await world.newAccount();
    const description = '😀'.repeat(500);
    const variables = Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(32, '😀'));
    const ids = [];
    for (let n = 0; n < 250; n += 1) {
      const template = newTemplate({ channel: 'email', name: `${n}`, description, subject: 's', variables }, newId(n));
      await world.templates.create(ref, template, { text: 't' });
      ids.unshift(template.id);
    }
    expect((await world.templates.list(ref)).map(({ id }) => id)).toEqual(ids);
  });
});
