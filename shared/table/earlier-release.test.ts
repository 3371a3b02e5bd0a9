import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptEmail } from '../../test/accepted-message.ts';
import { startEarlierWorld } from '../../test/earlier-release.ts';
import { newId } from '../kit/id.ts';
import { jsonOf } from '../kit/json-text.ts';
import { hourMs } from '../kit/time-units.ts';
import { channels, statuses } from '../messages/message.ts';
import { newEmail } from '../messages/new-message.ts';
import { resending } from '../webhooks/resend.ts';

type Earlier = Awaited<ReturnType<typeof startEarlierWorld>>;

let world: Earlier['world'];
let release: Earlier['release'];
let items: Earlier['items'];
beforeAll(async () => {
  ({ world, release, items } = await startEarlierWorld());
});
afterAll(() => world.close());

const all = { limit: 100 };
const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const idOf = (name: string): string => release.ids[name] ?? '';
const found = async (name: string) => {
  const message = await world.messages.find(release.account.ref, idOf(name));
  if (!message) throw new Error(`${name} is missing`);
  return message;
};
const count = async () =>
  [
    ...(await world.analytics.count(release.account.ref, { startMs, endMs: startMs + 3 * hourMs - 1 }, release.nowMs)),
  ].sort();

describe('in a table of the release before', () => {
  it('messages are found and listed by every filter as they were', async () => {
    const { account, answers } = release;
    for (const message of answers.messages)
      expect(plain(await world.messages.find(account.ref, message.id))).toMatchObject(message);
    const ranges = [{}, { createdAfterMs: startMs + hourMs, createdBeforeMs: startMs + 2 * hourMs }];
    for (const channel of [undefined, ...channels])
      for (const status of [undefined, ...statuses])
        for (const range of ranges) {
          const { page: listed } = await world.messages.list(account.ref, { channel, status, ...range }, all);
          const expected = answers.messages.filter(
            (each) =>
              (channel === undefined || each.channel === channel) &&
              (status === undefined || each.status === status) &&
              Date.parse(each.createdAt) >= (range.createdAfterMs ?? 0) &&
              Date.parse(each.createdAt) <= (range.createdBeforeMs ?? Number.MAX_SAFE_INTEGER),
          );
          expect(plain(listed), `${channel} ${status}`).toMatchObject(expected);
        }
  });

  it('contacts, credits, counts, deliveries, templates and payments are read as they were', async () => {
    const { account, answers, webhook, payment, nowMs } = release;
    const byScore = { filter: { terms: [], tags: [] }, sortBy: 'engagementScore', sortOrder: 'desc' } as const;
    const listed = await world.contacts.list(account.ref, { ...byScore, offset: 0, limit: 100 });
    expect(JSON.parse(jsonOf(listed))).toMatchObject(answers.contacts);
    expect(await world.contacts.find(account.ref, release.contacts.retired)).toBeUndefined();
    expect(await world.accounts.credits(account.ref.id)).toMatchObject(answers.credits);
    expect(await count()).toEqual(answers.counts);
    const subscription = { id: webhook, pauses: 0, isActive: true };
    const page = await world.deliveries.page(account.ref, subscription, { offset: 0, limit: 10 }, nowMs);
    expect(page.deliveries.map(({ delivery }) => delivery)).toMatchObject(answers.deliveries);
    for (const { payload } of page.deliveries) expect(JSON.parse(payload)).toMatchObject({ event: 'message.sent' });
    expect(await world.templates.list(account.ref)).toMatchObject([{ name: 'welcome' }]);
    expect(await world.payments.find(payment.session, payment.payment)).toMatchObject({
      payment: { status: 'SUCCEEDED', refundableMinor: 599_000 },
    });
  });

  it('outcomes move messages and change their contacts and the counts', async () => {
    const { ref } = release.account;
    const contactOf = async () => world.contacts.find(ref, (await found('sent')).contactId ?? '');
    const before = await contactOf();
    const trigger = { trigger: 'deliveryConfirmed' } as const;
    expect(await world.outcomeRecorder.record(ref, idOf('sent'), trigger, release.nowMs)).toBe(true);
    expect(await world.outcomeRecorder.record(ref, idOf('sent'), trigger, release.nowMs)).toBe(false);
    expect(await found('sent')).toMatchObject({ status: 'delivered', tags: ['receipt'] });
    expect((await contactOf())?.score).toBe((before?.score ?? 0) + 1);
    const byScore = { filter: { terms: [], tags: [] }, sortBy: 'engagementScore', sortOrder: 'asc' } as const;
    const listed = (await world.contacts.list(ref, { ...byScore, offset: 0, limit: 100 })).contacts;
    expect(listed.map(({ id }) => id).sort()).toEqual(release.answers.contacts.contacts.map(({ id }) => id).sort());
    expect(listed.map(({ score }) => score)).toEqual(
      listed.map(({ score }) => score).sort((one, other) => one - other),
    );
    const failure = { code: 'bounce', reason: 'No such user' };
    await world.outcomeRecorder.record(ref, idOf('delivered'), { trigger: 'addressRejected', failure }, release.nowMs);
    expect(await world.contacts.find(ref, (await found('delivered')).contactId ?? '')).toMatchObject({
      status: 'bounced',
    });
  });

  it('a queued text is claimed with its content, and one that cannot be sent gives its credit back', async () => {
    const { ref } = release.account;
    const job = { message: idOf('smsQueued'), channel: 'sms' } as const;
    const claim = { token: 'token', isRepeatable: false, nowMs: release.nowMs };
    const claimed = await world.textSends.pickUp(ref, job, claim);
    if (claimed.kind !== 'claimed') throw new Error(claimed.kind);
    expect(claimed.text).toBe('Queued text');
    const credits = await world.accounts.credits(ref.id);
    const failure = { code: 'refused', reason: 'Refused' };
    await world.textSends.fail(ref, claimed, 'providerRefused', failure, release.nowMs);
    expect(await found('smsQueued')).toMatchObject({ status: 'failed', failureCode: 'refused' });
    expect((await world.accounts.credits(ref.id))?.smsMasked).toBe((credits?.smsMasked ?? 0) + 1);
    expect(await world.messages.withdraw(ref, await found('sending'))).toBe(true);
  });

  it('new messages take credits, and stand in the list before the old ones', async () => {
    const { ref } = release.account;
    const credits = await world.accounts.credits(ref.id);
    const message = newEmail({ channel: 'email', to: 'grace@example.com' }, newId(Date.now()));
    expect(await acceptEmail(world, ref, message)).toBe('accepted');
    expect((await world.accounts.credits(ref.id))?.email).toBe((credits?.email ?? 0) - 1);
    const { page } = await world.messages.list(ref, { channel: 'email' }, all);
    const [first, second] = page;
    expect([first?.id, second?.id]).toEqual([message.id, release.answers.messages[0]?.id]);
  });

  it('a change that was counted is not counted again, and the next one is', async () => {
    const { ref } = release.account;
    const mark = items.find(({ PK }) => PK === `A#${ref.id}#COUNTED#${idOf('clicked')}`) ?? {};
    const price = { counter: 'email', credits: 1 } as const;
    const where = { account: ref.id, id: idOf('clicked'), partition: `A#${ref.id}#MSG`, atMs: startMs };
    const change = { ...where, channel: 'email', before: { status: 'sent', price } } as const;
    const repeated = { ...change, after: { status: 'clicked', price }, sequence: String(mark['sequence']) } as const;
    const before = await count();
    await world.analytics.record([repeated], release.nowMs);
    expect(await count()).toEqual(before);
    const next = { ...change, before: repeated.after, after: { status: 'complained', price } } as const;
    await world.analytics.record([{ ...next, sequence: `${'9'.repeat(40)}` }], release.nowMs);
    expect(new Map(await count())).toMatchObject(
      new Map([...new Map(before), ['email#clicked', 0], ['email#complained', 1]]),
    );
  });

  it('contacts change, and their addresses are still taken', async () => {
    const { ref } = release.account;
    const changed = await world.contacts.setStatus(ref, release.contacts.contact, 'quarantined', Date.now());
    expect(changed).toMatchObject({ status: 'quarantined', score: 67, tags: ['vip', 'new'] });
    const details = release.answers.contacts.contacts.find(({ id }) => id === release.contacts.contact);
    if (!details) throw new Error('the contact is missing');
    const taken = await world.contacts.create(ref, { id: newId(Date.now()), details }, Date.now());
    expect(taken).toMatchObject({ taken: [{ field: 'email' }, { field: 'phone' }] });
    expect(await world.contacts.retire(ref, release.contacts.contact, Date.now())).toBe(true);
    const byScore = { filter: { terms: [], tags: [] }, sortBy: 'engagementScore', sortOrder: 'asc' } as const;
    const { total } = await world.contacts.list(ref, { ...byScore, offset: 0, limit: 100 });
    expect(total).toBe(release.answers.contacts.total - 1);
    const rows = (await world.scan()).filter(({ SK }) => String(SK).includes(release.contacts.contact));
    expect(rows.map(({ entity }) => entity).sort()).toEqual(['retired-contact']);
  });

  it('a failed delivery is sent again', async () => {
    const { jobs } = await resending(world).resendEnded(
      release.account.ref.id,
      { id: release.webhook, pauses: 0, isActive: true },
      { sinceMs: startMs, states: ['failed'] },
      release.nowMs,
    );
    expect(jobs).toMatchObject([{ attempt: 2 }]);
  });
});
