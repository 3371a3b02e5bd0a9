import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contactStatuses, detailsOf } from '../../../shared/contacts/contact.ts';
import { outcomeRecorder } from '../../../shared/contacts/outcome-recorder.ts';
import { suppressionsOf } from '../../../shared/contacts/suppression.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { Channel } from '../../../shared/messages/message.ts';
import type { Trigger } from '../../../shared/messages/moves.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { contactStore } from '../../../shared/table/contacts/contact-store.ts';
import { ownSuppressionItem } from '../../../shared/table/contacts/suppression-items.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listSuppressionsContract } from './contract.ts';
import { listSuppressions } from './handler.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const list = (key: string, query: Record<string, string> = {}) =>
  call(endpoint(listSuppressionsContract, listSuppressions(world), world.callers('contacts:read')), { key, query });

describe('GET /suppressions', () => {
  it('200 pages from the newest to the oldest, also with a filter', async () => {
    const { ref, key } = await world.newAccount();
    for (let n = 0; n < 7; n++) {
      const entry = { id: newId(startMs + n), channel: 'email', address: { email: `ada${n}@example.com` } } as const;
      await world.suppressions.add(ref, { ...entry, reason: n % 2 ? 'bounced' : 'manual' });
    }
    const walk = async (query: Record<string, string>) => {
      const walked: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { data, pagination } = (await list(key, { ...query, limit: '2', ...(cursor && { cursor }) })).body;
        walked.push(...data.map(({ address }: { address: string }) => address[3]));
        expect(pagination.hasMore).toBe(pagination.cursor !== null);
        ({ cursor } = pagination);
      }
      return walked.join('');
    };
    expect(await walk({})).toBe('6543210');
    expect(await walk({ reason: 'bounced' })).toBe('531');
    expect(await walk({ channel: 'sms' })).toBe('');
    const other = await world.newAccount();
    expect((await list(other.key)).body).toEqual({ data: [], pagination: { cursor: null, hasMore: false } });
  });

  it('200 ends a page early where few of many entries pass the filter, so that its work stays small', async () => {
    const { ref, key } = await world.newAccount();
    const cipher = await world.vault.unlock(ref);
    const entries = Array.from({ length: 1_500 }, (_, n) => ({ id: newId(startMs + n), n }));
    await world.table.putAll(
      entries.map(({ id, n }) => {
        const reason = n === 0 ? 'complained' : 'manual';
        return ownSuppressionItem(ref.id, cipher, {
          id,
          channel: 'email',
          address: { email: `${n}@example.com` },
          reason,
        });
      }),
    );
    const first = (await list(key, { reason: 'complained' })).body;
    expect(first).toMatchObject({ data: [], pagination: { hasMore: true } });
    const { cursor } = first.pagination;
    expect(entries.findIndex(({ id }) => id === cursor)).toBeGreaterThan(100);
    expect((await list(key, { reason: 'complained', cursor })).body).toMatchObject({
      data: [{ address: '0@example.com' }],
      pagination: { cursor: null, hasMore: false },
    });
  });

  it('200 finds the entries of one address, on all its channels, and says that it has none', async () => {
    const { ref, key } = await world.newAccount();
    const phone = '+8801722222222';
    const added = [
      { channel: 'email', address: { email: 'Ada@example.com' }, reason: 'bounced' },
      { channel: 'sms', address: { phone }, reason: 'manual' },
      { channel: 'whatsapp', address: { phone }, reason: 'manual' },
      { channel: 'email', address: { email: 'eve@example.com' }, reason: 'manual' },
    ] as const;
    for (const [n, entry] of added.entries()) await world.suppressions.add(ref, { ...entry, id: newId(startMs + n) });
    const contactId = newId(startMs);
    await world.contacts.create(ref, { id: contactId, details: detailsOf({ email: 'eve@example.com' }) }, startMs + 10);
    await world.contacts.setStatus(ref, contactId, 'unsubscribed', startMs + 10);
    const found = async (query: Record<string, string>) =>
      (await list(key, query)).body.data.map(({ channel, reason }: Record<string, string>) => `${channel} ${reason}`);
    expect(await found({ address: 'ada@EXAMPLE.com' })).toEqual(['email bounced']);
    expect(await found({ address: phone.slice(1) })).toEqual(['whatsapp manual', 'sms manual']);
    expect(await found({ address: phone, channel: 'sms' })).toEqual(['sms manual']);
    expect(await found({ address: 'eve@example.com' })).toEqual(['email unsubscribed', 'email manual']);
    expect(await found({ address: 'eve@example.com', reason: 'manual' })).toEqual(['email manual']);
    expect(await found({ address: 'never@example.com' })).toEqual([]);
    expect((await list((await world.newAccount()).key, { address: phone })).body.data).toEqual([]);
    const first = (await list(key, { address: phone, limit: '1' })).body;
    expect(first).toMatchObject({ data: [{ channel: 'whatsapp' }], pagination: { hasMore: true } });
    const second = (await list(key, { address: phone, limit: '1', cursor: first.pagination.cursor })).body;
    expect(second).toMatchObject({ data: [{ channel: 'sms' }], pagination: { cursor: null, hasMore: false } });
  });

  it('200 follows the status and the addresses of contacts, on the channels that they concern', async () => {
    const { ref, key } = await world.newAccount();
    const id = newId(startMs);
    const details = detailsOf({ email: 'ada@example.com', phone: '+8801722222222' });
    await world.contacts.create(ref, { id, details }, startMs);
    const listed = async () =>
      (await list(key)).body.data
        .map(({ channel, address, reason }: Record<string, string>) => `${channel} ${address} ${reason}`)
        .sort();
    for (const status of [...contactStatuses, ...contactStatuses.toReversed()]) {
      await world.contacts.setStatus(ref, id, status, startMs);
      const contact = (await world.contacts.find(ref, id)) ?? expect.fail();
      const expected = suppressionsOf(contact).map(({ channel, address, reason }) =>
        'email' in address ? `${channel} ${address.email} ${reason}` : `${channel} ${address.phone} ${reason}`,
      );
      expect(await listed()).toEqual(expected.sort());
    }
    await world.contacts.setStatus(ref, id, 'unsubscribed', startMs);
    expect(await listed()).toHaveLength(3);
    await world.contacts.change(ref, id, (before) => ({ ...before, email: 'eve@example.com', phone: null }));
    expect(await listed()).toEqual(['email ada@example.com unsubscribed', 'email eve@example.com unsubscribed']);
  });

  it('200 leaves out a phone that a retired contact had unsubscribed, once the next contact with it agrees or sends START', async () => {
    const { ref, key } = await world.newAccount();
    const phone = '+8801722222222';
    const listed = async () =>
      (await list(key)).body.data.map(({ channel, reason }: Record<string, string>) => `${channel} ${reason}`).sort();
    const said = (text: string, atMs: number) =>
      world.inboundReceiver.receive(ref, { channel: 'sms', from: phone, text, atMs, id: `${atMs}` });
    const consent = { channel: 'sms', status: 'active', source: 'test', text: null, by: 'operator' } as const;
    const rounds = [
      {
        happen: (contactId: string, atMs: number) =>
          world.consents.record(ref, contactId, { ...consent, id: newId(atMs), at: iso(atMs) }),
        rest: ['whatsapp unsubscribed'],
      },
      { happen: (_: string, atMs: number) => said('START', atMs), rest: [] },
    ];
    for (const [n, { happen, rest }] of rounds.entries()) {
      const atMs = startMs + n * 10_000;
      const [first, second] = [newId(atMs), newId(atMs + 1)];
      await world.contacts.create(ref, { id: first, details: detailsOf({ phone }) }, atMs);
      await said('STOP', atMs + 2_000);
      await world.contacts.retire(ref, first, atMs + 3_000);
      await world.contacts.create(ref, { id: second, details: detailsOf({ phone }) }, atMs + 4_000);
      expect(await listed()).toEqual(['sms unsubscribed', 'whatsapp unsubscribed']);
      await happen(second, atMs + 5_000);
      expect(await listed()).toEqual(rest);
      await world.contacts.retire(ref, second, atMs + 6_000);
    }
  });

  it('200 has an address again that was taken off, when it bounces, complains or unsubscribes once more; a later consent takes one off', async () => {
    const { ref, key } = await world.newAccount();
    const contactId = newId(startMs);
    const details = detailsOf({ email: 'ada@example.com', phone: '+8801722222222' });
    await world.contacts.create(ref, { id: contactId, details }, startMs);
    const listed = async () =>
      (await list(key)).body.data.map(({ channel, reason }: Record<string, string>) => `${channel} ${reason}`).sort();
    let clockMs = startMs;
    const tick = () => {
      clockMs += 1_000;
      return clockMs;
    };
    const sendUntil = async (...triggers: readonly Trigger[]) => {
      const message = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(tick()));
      await acceptEmail(world, ref, message);
      for (const trigger of triggers) await world.outcomeRecorder.record(ref, message.id, { trigger }, tick());
      return message.id;
    };
    const takeOff = (channel: Channel) =>
      world.suppressions.remove(ref, {
        channel,
        address: channel === 'email' ? { email: 'ada@example.com' } : { phone: '+8801722222222' },
      });
    const agree = (channel: 'sms' | 'whatsapp') => {
      const atMs = tick();
      const consent = { channel, status: 'active', source: 'test', text: null, by: 'operator' } as const;
      return world.consents.record(ref, contactId, { ...consent, id: newId(atMs), at: iso(atMs) });
    };

    for (const [trigger, reason] of [
      ['addressRejected', 'bounced'],
      ['complained', 'complained'],
    ] as const)
      for (let n = 0; n < 2; n += 1) {
        await sendUntil('providerAccepted', trigger);
        expect(await listed()).toEqual([`email ${reason}`]);
        await takeOff('email');
        expect(await listed()).toEqual([]);
      }
    for (let n = 0; n < 2; n += 1) {
      await world.outcomeRecorder.optOut(ref, await sendUntil('providerAccepted'), tick());
      expect(await listed()).toEqual(['email complained', 'sms unsubscribed', 'whatsapp unsubscribed']);
      await agree('sms');
      expect(await listed()).toEqual(['email complained', 'whatsapp unsubscribed']);
    }
    // Neither says anything about the texts that it has agreed to since.
    for (const trigger of ['complained', 'addressRejected'] as const) {
      await takeOff('email');
      await sendUntil('providerAccepted', trigger);
      expect(await listed()).toEqual(['email complained', 'whatsapp unsubscribed']);
    }
    // Nor does it bring back what an operator has lifted.
    await world.contacts.setStatus(ref, contactId, 'active', tick());
    expect(await listed()).toEqual([]);
    await sendUntil('providerAccepted', 'complained');
    expect(await listed()).toEqual(['email complained']);
  });

  /** An account with a contact, whose email may bounce and who may unsubscribe. */
  const unluckyContact = async () => {
    const { ref, key } = await world.newAccount();
    const address = { email: 'ada@example.com' };
    const sent = async (atMs: number) => {
      const message = newEmail({ channel: 'email', to: address.email }, newId(atMs));
      await acceptEmail(world, ref, message);
      return message.id;
    };
    const [first, second] = [await sent(startMs), await sent(startMs + 1_000)];
    return {
      bounces: async () => {
        for (const trigger of ['providerAccepted', 'addressRejected', 'addressRejected'] as const)
          await world.outcomeRecorder.record(ref, second, { trigger }, startMs + 2_000);
      },
      unsubscribes: async (contacts = world.contacts) => {
        const { optOut } = outcomeRecorder({ ...world, contacts });
        for (const atMs of [startMs + 3_000, startMs + 4_000]) await optOut(ref, first, atMs);
      },
      agrees: async () => {
        const { contactId = '' } = (await world.messages.find(ref, first)) ?? {};
        const consent = { channel: 'email', status: 'active', source: 'test', text: null, by: 'operator' } as const;
        await world.consents.record(ref, contactId, { ...consent, id: newId(startMs), at: iso(startMs + 5_000) });
      },
      isRemoved: () => world.suppressions.remove(ref, { channel: 'email', address }),
      reasons: async () => (await list(key)).body.data.map(({ reason }: Record<string, string>) => reason).sort(),
    };
  };

  it.each([
    ['before its contact unsubscribed', ['bounces', 'unsubscribes']],
    ['while its contact was unsubscribed', ['unsubscribes', 'bounces']],
  ] as const)(
    '200 has an address that bounced %s, also after the contact has agreed to email again',
    async (_, inOrder) => {
      const contact = await unluckyContact();
      for (const happens of inOrder) await contact[happens]();
      expect(await contact.reasons()).toEqual(['bounced', 'unsubscribed']);
      await contact.agrees();
      expect(await contact.reasons()).toEqual(['bounced']);
      await contact.isRemoved();
      expect(await contact.reasons()).toEqual([]);
    },
  );

  it.each([
    ['was removed before', 0],
    ['is removed while', 1],
  ])('200 leaves out the bounce of an address that %s its contact unsubscribes', async (_, atChange) => {
    const contact = await unluckyContact();
    await contact.bounces();
    if (atChange === 0) await contact.isRemoved();
    let changes = 0;
    const transact: World['table']['transact'] = async (writes) => {
      changes += 1;
      if (changes === atChange) await contact.isRemoved();
      return world.table.transact(writes);
    };
    await contact.unsubscribes(contactStore({ ...world.table, transact }, world.vault));
    expect(await contact.reasons()).toEqual(['unsubscribed']);
    await contact.agrees();
    expect(await contact.reasons()).toEqual([]);
  });

  it('200 has an unsubscribed contact again on a channel whose later consent it withdraws, and on all when it is unsubscribed again', async () => {
    const { ref, key } = await world.newAccount();
    const id = newId(startMs);
    const details = detailsOf({ email: 'ada@example.com', phone: '+8801722222222' });
    await world.contacts.create(ref, { id, details }, startMs);
    let clockMs = startMs;
    const consent = (channel: Channel, status: 'active' | 'withdrawn') => {
      clockMs += 1_000;
      const entry = { id: newId(clockMs), channel, status, source: 'test', text: null, at: iso(clockMs) } as const;
      return world.consents.record(ref, id, { ...entry, by: 'operator' });
    };
    const unsubscribe = () => {
      clockMs += 1_000;
      return world.contacts.setStatus(ref, id, 'unsubscribed', clockMs);
    };
    const listed = async () => (await list(key)).body.data.map(({ channel }: Record<string, string>) => channel).sort();
    const all = ['email', 'sms', 'whatsapp'];
    await unsubscribe();
    for (const channel of all as Channel[]) {
      await consent(channel, 'active');
      expect(await listed()).toEqual(all.filter((each) => each !== channel));
      await consent(channel, 'withdrawn');
      expect(await listed()).toEqual(all);
    }
    for (const channel of all as Channel[]) await consent(channel, 'active');
    expect(await listed()).toEqual([]);
    await unsubscribe();
    expect(await listed()).toEqual(all);
  });

  it('200 lists an address that was taken off as the newest, when its contact unsubscribes once more', async () => {
    const { ref, key } = await world.newAccount();
    const clickMs = startMs + 5_000;
    const clickOn = async (to: string, atMs: number) => {
      const message = newEmail({ channel: 'email', to }, newId(startMs));
      await acceptEmail(world, ref, message);
      await world.outcomeRecorder.optOut(ref, message.id, atMs);
    };
    await clickOn('ada@example.com', startMs + 1_000);
    await clickOn('eve@example.com', startMs + 2_000);
    await world.suppressions.remove(ref, { channel: 'email', address: { email: 'ada@example.com' } });
    await clickOn('ada@example.com', clickMs);
    expect((await list(key)).body.data).toMatchObject([
      { address: 'ada@example.com', createdAt: iso(clickMs) },
      { address: 'eve@example.com', createdAt: iso(startMs + 2_000) },
    ]);
  });

  it.each([[{ address: 'ada' }], [{ channel: 'fax' }], [{ reason: 'because' }], [{ limit: '0' }], [{ cursor: 'x' }]])(
    '400 refuses %j',
    async (query) => {
      const { status, body } = await list((await world.newAccount()).key, query as Record<string, string>);
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    },
  );
});
