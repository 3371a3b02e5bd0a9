import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detailsOf } from '../../../shared/contacts/contact.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { recordInboundContract } from './contract.ts';
import { recordInbound } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const phone = '+8801700000000';
const nowMs = Date.parse('2026-11-20T12:00:00Z');
const record = (id: string, body: unknown, clock = () => nowMs) =>
  call(endpoint(recordInboundContract, recordInbound(world), keylessSurface, clock), { path: { id }, body });

describe('POST /admin/v1/accounts/{id}/whatsapp/inbound', () => {
  it.each([phone, phone.slice(1)])('202 opens the window of %s for 24 hours', async (from) => {
    const { ref } = await world.newAccount();
    const answer = await record(ref.id, { from, text: 'Hello' });
    expect([answer.status, answer.text]).toEqual([202, '']);
    const { windowOpenUntilMs } = await world.sends.read(ref, { channel: 'whatsapp', contact: { phone } });
    expect(windowOpenUntilMs).toBe(nowMs + 24 * 60 * 60 * 1_000);
  });

  it('202 applies STOP and START of a contact', async () => {
    const { ref } = await world.newAccount();
    const id = newId(nowMs);
    await world.contacts.create(ref, { id, details: detailsOf({ phone }) }, nowMs);
    const statuses = async () => [
      (await world.contacts.find(ref, id))?.status,
      (await world.consents.standing(ref, id, 'whatsapp'))?.status,
    ];
    await record(ref.id, { from: phone, text: 'stop' });
    expect(await statuses()).toEqual(['unsubscribed', 'withdrawn']);
    await record(ref.id, { from: phone, text: 'start' }, () => nowMs + 1);
    expect(await statuses()).toEqual(['active', 'active']);
  });

  it.each([
    [
      { from: 'Ada', text: 'Hello' },
      'from: must be a phone number in E.164 format, with + and its country code, 7 to 15 digits, for example +8801700000000',
    ],
    [
      { from: '+0170', text: 'Hello' },
      'from: must be a phone number in E.164 format, with + and its country code, 7 to 15 digits, for example +8801700000000',
    ],
    [{ from: 8801700000000, text: 'Hello' }, 'from: must be a string'],
    [{ text: 'Hello' }, 'from: is required'],
    [{ from: phone }, 'text: is required'],
    [{ from: phone, text: 'x'.repeat(4_097) }, 'text: must be at most 4096 characters'],
  ])('400 refuses %j', async (sent, message) => {
    const { ref } = await world.newAccount();
    const { status, body } = await record(ref.id, sent);
    expect([status, body.error.code, body.error.message]).toEqual([400, 'invalid_request', message]);
    const { windowOpenUntilMs } = await world.sends.read(ref, { channel: 'whatsapp', contact: { phone } });
    expect(windowOpenUntilMs).toBeUndefined();
  });

  it('404 for an unknown account', async () => {
    for (const id of [newId(nowMs), 'x']) {
      const { status, body } = await record(id, { from: phone, text: 'Hello' });
      expect([status, body.error.code]).toEqual([404, 'account_not_found']);
    }
  });
});
