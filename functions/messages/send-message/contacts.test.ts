import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detailsOf } from '../../../shared/contacts/contact.ts';
import { newId } from '../../../shared/kit/id.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { mail, openSending, type Sending } from './send-fixture.ts';

let sending: Sending;
beforeAll(async () => {
  sending = await openSending();
});
afterAll(() => sending.world.close());

describe('POST /messages', () => {
  it('201 makes a contact of a new recipient, known by the address as it was sent, of source api', async () => {
    const { world, send } = sending;
    const { ref, key } = await world.newAccount();
    const email = 'Ada@Bücher.Example';
    await send({ ...mail, to: email }, { key });
    const { holder } = await world.sends.read(ref, { channel: 'email', contact: { email } });
    expect(await world.contacts.find(ref, holder?.contactId ?? '')).toMatchObject({
      ...detailsOf({}),
      email,
      source: 'api',
      status: 'active',
    });
  });

  it('201 finds the contact again in another case and in another script of the domain', async () => {
    const { key, ref } = await sending.world.newAccount();
    for (const to of ['ada@bücher.example', 'ADA@BÜCHER.EXAMPLE', 'Ada@xn--bcher-kva.example']) {
      expect((await sending.send({ ...mail, to }, { key })).status).toBe(201);
    }
    expect(await sending.traces(ref)).toEqual({ credits: 97, messages: 3, contacts: 1 });
  });

  it('201 keeps apart what differs: the tag, the account', async () => {
    const { key, ref } = await sending.world.newAccount();
    await sending.send({ ...mail, to: 'ada@example.com' }, { key });
    await sending.send({ ...mail, to: 'ada+x@example.com' }, { key });
    expect((await sending.traces(ref)).contacts).toBe(2);
  });

  it('201 creates one contact when many sends to a new recipient are concurrent', async () => {
    const { key, ref } = await sending.world.newAccount();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        sending.send({ ...mail, to: n % 2 ? 'new@example.com' : 'NEW@example.com' }, { key }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await sending.traces(ref)).toEqual({ credits: 92, messages: 8, contacts: 1 });
  });

  it('201 sends exactly as many as there are credits for, also at the same time', async () => {
    const { key, ref } = await sending.world.newAccount({ credits: { email: 5 } });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => sending.send({ ...mail, to: `crowd-${n}@example.com` }, { key })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(7).fill(402)]);
    expect(await sending.traces(ref)).toEqual({ credits: 0, messages: 5, contacts: 5 });
    const crowd = (await sending.mails()).filter(({ destination }) => destination.to[0]?.startsWith('crowd-'));
    expect(crowd).toHaveLength(5);
  });

  it.each(['unsubscribed', 'bounced', 'complained', 'quarantined'] as const)(
    '201 still sends an email to a contact that is %s',
    async (status) => {
      const { world } = sending;
      const { key, ref } = await world.newAccount();
      const id = newId(Date.now());
      await world.contacts.create(ref, { id, details: detailsOf({ email: mail.to }) }, Date.now());
      await world.contacts.setStatus(ref, id, status, Date.now());
      expect((await sending.send(mail, { key })).status).toBe(201);
      expect((await sending.traces(ref)).contacts).toBe(1);
    },
  );

  it('422 refuses a retired contact in any letter case, and charges nothing', async () => {
    const { world } = sending;
    const { key, ref } = await world.newAccount();
    const id = newId(Date.now());
    await world.contacts.create(ref, { id, details: detailsOf({ email: 'Gone@Example.com' }) }, Date.now());
    await world.contacts.retire(ref, id, Date.now());
    for (const to of ['Gone@Example.com', 'gone@example.com']) {
      const { status, body } = await sending.send({ ...mail, to }, { key });
      expect([status, body.error.code]).toEqual([422, 'send_blocked']);
      expect(body.error.message).toContain('retired');
    }
    expect(await sending.traces(ref)).toEqual({ credits: 100, messages: 0, contacts: 0 });
  });

  it('422 refuses a suppressed recipient where the account enforces its list, in the calls of any send, and charges nothing', async () => {
    const { world, send } = sending;
    const { key, ref } = await world.newAccount({ settings: { suppressions: 'enforced' } });
    await send(mail, { key });
    const { calls } = await countConsumption(world.calls).of(() => send(mail, { key }));
    const address = { email: mail.to.toUpperCase() };
    await world.suppressions.add(ref, { id: newId(Date.now()), channel: 'email', address, reason: 'manual' });
    const { status, body } = await send(mail, { key });
    expect([status, body.error.code, body.error.message]).toEqual([
      422,
      'send_blocked',
      'The recipient is suppressed (manual). DELETE /suppressions/email/{address} lifts this.',
    ]);
    await world.suppressions.remove(ref, { channel: 'email', address });
    expect((await send(mail, { key })).status).toBe(201);
    const contactId = (await world.sends.read(ref, { channel: 'email', contact: address })).holder?.contactId ?? '';
    await world.contacts.setStatus(ref, contactId, 'bounced', Date.now());
    expect((await send(mail, { key })).body.error.message).toContain('(bounced)');
    await world.contacts.setStatus(ref, contactId, 'active', Date.now());
    expect((await send(mail, { key })).status).toBe(201);
    expect(calls).toBeLessThanOrEqual(4);
    expect(await sending.traces(ref)).toEqual({ credits: 96, messages: 4, contacts: 1 });
  });

  it('422 refuses a frozen account, and charges nothing', async () => {
    const { key, ref } = await sending.world.newAccount({ settings: { status: 'frozen' } });
    const { status, body } = await sending.send(mail, { key });
    expect([status, body.error.code]).toEqual([422, 'send_blocked']);
    expect(body.error.message).toContain('frozen');
    expect(await sending.traces(ref)).toEqual({ credits: 100, messages: 0, contacts: 0 });
  });
});
