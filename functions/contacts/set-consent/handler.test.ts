import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consentChannels } from '../../../shared/compliance/consent.ts';
import { detailsOf } from '../../../shared/contacts/contact.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { setConsentContract } from './contract.ts';
import { setConsent } from './handler.ts';

let world: World;
let ref: AccountRef;
beforeAll(async () => {
  world = await startWorld();
  ({ ref } = await world.newAccount());
});
afterAll(() => world.close());

const set = (id: string, channel: string, body: unknown, clock = Date.now) =>
  call(endpoint(setConsentContract, setConsent(world), keylessSurface, clock), { path: { id, channel }, body });

const newContact = async () => {
  const id = newId(Date.now());
  const details = detailsOf({ email: `${id}@example.com` });
  await world.contacts.create(ref, { id, details }, Date.now());
  return id;
};

describe('PUT /admin/v1/contacts/{id}/consents/{channel}', () => {
  it.each(consentChannels)('200 records that %s is consented to, and that it is withdrawn', async (channel) => {
    const id = await newContact();
    const nowMs = Date.now();
    const given = { status: 'active', source: 'checkout form', text: 'Yes, write to me.' };
    expect((await set(id, channel, given, () => nowMs)).body).toEqual({
      data: { channel, ...given, by: 'operator', at: new Date(nowMs).toISOString() },
    });
    const withdrawn = await set(id, channel, { status: 'withdrawn' }, () => nowMs + 1);
    expect([withdrawn.status, withdrawn.body.data]).toEqual([
      200,
      {
        channel,
        status: 'withdrawn',
        source: 'admin',
        text: null,
        by: 'operator',
        at: new Date(nowMs + 1).toISOString(),
      },
    ]);
    expect(await world.consents.standing(ref, id, channel)).toMatchObject(withdrawn.body.data);
    expect(await world.consents.list(ref, id)).toHaveLength(2);
  });

  it('200 leaves the other channels and the status of the contact alone', async () => {
    const id = await newContact();
    await world.contacts.setStatus(ref, id, 'unsubscribed', Date.now());
    expect((await set(id, 'sms', { status: 'active' })).status).toBe(200);
    expect((await world.contacts.find(ref, id))?.status).toBe('unsubscribed');
    expect(await world.consents.standing(ref, id, 'whatsapp')).toBeUndefined();
  });

  it('200 answers what stands: of two at the same instant, the withdrawal', async () => {
    const id = await newContact();
    const clock = () => Date.parse('2026-11-20T12:00:00Z');
    await set(id, 'sms', { status: 'withdrawn', source: 'phone call' }, clock);
    const { body } = await set(id, 'sms', { status: 'active' }, clock);
    expect(body.data).toMatchObject({ status: 'withdrawn', source: 'phone call' });
  });

  it.each([
    ['voice', { status: 'active' }, 'channel: must be one of sms, whatsapp, email'],
    ['SMS', { status: 'active' }, 'channel: must be one of sms, whatsapp, email'],
    ['sms', {}, 'status: is required'],
    ['sms', { status: 'given' }, 'status: must be one of active, withdrawn'],
    ['sms', { status: 'active', source: '' }, 'source: must not be empty'],
    ['sms', { status: 'active', source: 'x'.repeat(201) }, 'source: must be at most 200 characters'],
    ['sms', { status: 'active', text: 'x'.repeat(2_001) }, 'text: must be at most 2000 characters'],
  ])('400 refuses %s %j', async (channel, sent, message) => {
    const id = await newContact();
    const { status, body } = await set(id, channel, sent);
    expect([status, body.error.code, body.error.message]).toEqual([400, 'invalid_request', message]);
    expect(await world.consents.list(ref, id)).toEqual([]);
  });

  it('404 for an unknown and for a retired contact', async () => {
    const retired = await newContact();
    await world.contacts.retire(ref, retired, Date.now());
    for (const id of [retired, newId(Date.now()), 'x']) {
      const { status, body } = await set(id, 'sms', { status: 'active' });
      expect([status, body.error.code]).toEqual([404, 'contact_not_found']);
    }
  });
});
