import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsentEntry } from '../../../shared/compliance/consent.ts';
import { detailsOf } from '../../../shared/contacts/contact.ts';
import { afterRequest } from '../../../shared/contacts/reaction.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listConsentsContract } from './contract.ts';
import { listConsents } from './handler.ts';

let world: World;
let ref: AccountRef;
beforeAll(async () => {
  world = await startWorld();
  ({ ref } = await world.newAccount());
});
afterAll(() => world.close());

const list = (id: string) =>
  call(endpoint(listConsentsContract, listConsents(world), keylessSurface), { path: { id } });

let phones = 8_801_700_000_000;
const newContact = async (phone = `+${++phones}`) => {
  const id = newId(Date.now());
  await world.contacts.create(ref, { id, details: detailsOf({ phone }) }, Date.now());
  return id;
};

const entry = (changes: Partial<ConsentEntry>): ConsentEntry => ({
  id: newId(Date.now()),
  channel: 'sms',
  status: 'active',
  source: 'form',
  text: null,
  by: 'operator',
  at: '2026-11-20T12:00:00.000Z',
  ...changes,
});
const shown = ({ id: _, ...given }: ConsentEntry) => given;

describe('GET /admin/v1/contacts/{id}/consents', () => {
  it('200 shows the current consent of each channel, and all entries, newest first', async () => {
    const id = await newContact();
    const first = entry({});
    const stop = entry({ status: 'withdrawn', by: 'recipient', text: 'STOP', at: '2026-11-20T12:00:02.000Z' });
    const late = entry({ at: '2026-11-20T12:00:01.000Z', source: 'import' });
    const email = entry({ channel: 'email', at: '2026-11-20T12:00:03.000Z' });
    for (const entry of [first, stop, late, email]) await world.consents.record(ref, id, entry);
    const onWhatsapp = { ...stop, channel: 'whatsapp', source: 'keyword', text: null } as const;
    expect((await list(id)).body).toEqual({
      data: {
        current: [stop, onWhatsapp, email].map(shown),
        history: [email, onWhatsapp, stop, late, first].map(shown),
      },
    });
  });

  it('200 shows as many of the newest entries as one answer takes, and the current consents by all of them', async () => {
    const id = await newContact();
    const email = entry({ channel: 'email' });
    const newer = Array.from({ length: 500 }, () =>
      entry({ text: '語'.repeat(2_000), at: '2026-11-20T12:00:01.000Z' }),
    );
    const consents = { ...world.consents, list: async () => [...newer, email] };
    const { body } = await call(endpoint(listConsentsContract, listConsents({ ...world, consents }), keylessSurface), {
      path: { id },
    });
    expect(body.data.history.length).toSatisfy((rows: number) => rows > 400 && rows < 420);
    expect(body.data.current).toEqual([newer[0], email].map((each) => each && shown(each)));
  });

  it('200 shows the STOP of a phone on both channels, whatever its contact was then, and is now', async () => {
    const [before, phone] = [await newContact('+8801800000000'), '+8801800000001'];
    const at = '2026-11-20T12:00:02.000Z';
    const stop = entry({ channel: 'whatsapp', status: 'withdrawn', by: 'recipient', source: 'keyword', at });
    await world.consents.record(ref, before, entry({}));
    await world.consents.record(ref, before, stop, (contact) => afterRequest(contact, 'stop', Date.parse(at)));
    await world.consents.recordForPhone(ref, phone, stop);
    const said = ['sms', 'whatsapp'].map((channel) => ({ ...shown(stop), channel }));
    expect((await list(before)).body.data.current).toEqual(said);
    await world.contacts.setStatus(ref, before, 'active', Date.now());
    expect((await list(before)).body.data.current).toEqual(said);
    const { current, history } = (await list(await newContact(phone))).body.data;
    expect(current).toEqual(said);
    expect(history).toEqual(expect.arrayContaining(said));
  });

  it('200 shows the consents of an unsubscribed contact as withdrawn, but for those that are newer', async () => {
    const id = await newContact();
    const [given, email] = [entry({}), entry({ channel: 'email' })];
    for (const each of [given, email]) await world.consents.record(ref, id, each);
    const at = '2026-11-20T12:00:01.000Z';
    await world.contacts.setStatus(ref, id, 'unsubscribed', Date.parse(at));
    const ended = { status: 'withdrawn', source: 'unsubscribed', by: 'operator', at };
    expect((await list(id)).body.data.current).toEqual([given, email].map((each) => ({ ...shown(each), ...ended })));

    const anew = entry({ at: '2026-11-20T12:00:02.000Z' });
    await world.consents.record(ref, id, anew);
    const { current, history } = (await list(id)).body.data;
    expect(current).toEqual([shown(anew), { ...shown(email), ...ended }]);
    expect(history).toEqual(expect.arrayContaining([given, email].map((each) => ({ ...shown(each), ...ended }))));
  });

  it('200 shows no consents of a contact without entries', async () => {
    expect((await list(await newContact())).body).toEqual({ data: { current: [], history: [] } });
  });

  it('404 for an unknown contact', async () => {
    for (const id of [newId(Date.now()), 'x']) {
      const { status, body } = await list(id);
      expect([status, body.error.code]).toEqual([404, 'contact_not_found']);
    }
  });
});
