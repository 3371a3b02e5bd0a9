import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptEmail, handedOverText } from '../../test/accepted-message.ts';
import { countConsumption } from '../../test/consumption.ts';
import { modelRuns } from '../../test/model-runs.ts';
import { startWorld, type TestAccount, type World } from '../../test/world.ts';
import { newId } from '../kit/id.ts';
import { JsonText } from '../kit/json-text.ts';
import { iso } from '../kit/time.ts';
import type { Status } from '../messages/message.ts';
import { moveBy, moves, permits, type Trigger } from '../messages/moves.ts';
import { newEmail } from '../messages/new-message.ts';
import { contactStore } from '../table/contacts/contact-store.ts';
import { indexKeys, itemKeys } from '../table/keys.ts';
import { eraseWrites } from '../table/messages/message-items.ts';
import { placing } from '../table/messages/message-places.ts';
import { spreadStore } from '../table/messages/spread-store.ts';
import { changed, detailsOf, isUnchanged, type KeptContact, withScore } from './contact.ts';
import { outcomeRecorder } from './outcome-recorder.ts';
import { reacted } from './reaction.ts';

const triggers = Object.keys(moves) as Trigger[];
const startMs = Date.parse('2026-11-20T12:00:00Z');

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount({ credits: { email: 100_000 } });
});
afterAll(() => world.close());

/** An accepted email, `sending`, and the id of its contact. */
const acceptedOn =
  ({ ref }: TestAccount) =>
  async (to: string) => {
    const message = newEmail({ channel: 'email', to }, newId(Date.now()));
    await acceptEmail(world, ref, message);
    const contactId = (await world.messages.find(ref, message.id))?.contactId ?? '';
    return { id: message.id, contactId };
  };
const recordOn =
  ({ ref }: TestAccount) =>
  (id: string, trigger: Trigger, nowMs = startMs) =>
    world.outcomeRecorder.record(ref, id, { trigger }, nowMs);
const accepted = (to: string) => acceptedOn(account)(to);
const record = (id: string, trigger: Trigger, nowMs?: number) => recordOn(account)(id, trigger, nowMs);
const messageOf = async (id: string) => world.messages.find(account.ref, id);
const contactOf = async (id: string) => world.contacts.find(account.ref, id);

/** Its place among contacts by their scores. */
const standingOf = async ({ ref }: TestAccount, contactId: string) =>
  (await world.table.get(itemKeys.contact(ref.id, contactId)))?.['GSI2SK'];

describe('recording an outcome', () => {
  it('moves the message and changes the contact once, with any repetition and concurrency', async () => {
    const { id, contactId } = await accepted('once@example.com');
    const results = await Promise.all(Array.from({ length: 6 }, () => record(id, 'deliveryConfirmed')));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await messageOf(id)).toMatchObject({
      status: 'delivered',
      sentAt: '2026-11-20T12:00:00.000Z',
      deliveredAt: '2026-11-20T12:00:00.000Z',
    });
    expect((await contactOf(contactId))?.score).toBe(51);
  });

  it('loses nothing when the outcomes of many messages to one contact are concurrent', async () => {
    const mails = [];
    for (let n = 0; n < 6; n += 1) mails.push(await accepted('many@example.com'));
    await Promise.all(mails.map(({ id }) => record(id, 'opened')));
    expect((await contactOf(mails[0]?.contactId ?? ''))?.score).toBe(50 + 6 * 5);
  });

  it('costs three units where only the score changes, and moves the contact in lists, for two more, when its tens do', async () => {
    const mails = [];
    for (let n = 0; n < 2; n += 1) mails.push(await accepted('cheap@example.com'));
    const { contactId = '' } = mails[0] ?? {};
    await world.contacts.change(account.ref, contactId, (before) => withScore(before, 8));
    const consumption = countConsumption(world.calls);
    const units = async (id = '') => (await consumption.of(() => record(id, 'deliveryConfirmed'))).units;
    await record(mails[0]?.id ?? '', 'deliveryConfirmed');
    expect([(await contactOf(contactId))?.score, await standingOf(account, contactId)]).toEqual([
      59,
      `050#${contactId}`,
    ]);
    expect(await units(mails[1]?.id)).toBeGreaterThan(8);
    expect([(await contactOf(contactId))?.score, await standingOf(account, contactId)]).toEqual([
      60,
      `060#${contactId}`,
    ]);
    const next = await accepted('cheap@example.com');
    const reads = 3 + 1;
    const moved = await consumption.of(() => record(next.id, 'deliveryConfirmed'));
    expect(moved.units - reads).toBe(3);
  });

  it('reads only the row of a large message that a repeated report finds as it is', async () => {
    const metadata = JsonText.of({ note: 'x'.repeat(9_000) });
    const message = newEmail({ channel: 'email', to: 'large@example.com', metadata }, newId(Date.now()));
    await acceptEmail(world, account.ref, message);
    expect(await record(message.id, 'providerAccepted')).toBe(true);
    const repeated = { trigger: 'providerAccepted', channel: 'email' } as const;
    const { calls } = await countConsumption(world.calls).of(async () =>
      expect(await world.outcomeRecorder.record(account.ref, message.id, repeated, startMs)).toBe(false),
    );
    expect(calls).toBe(1);
  });

  it('adds to the score once when a run died between the contact and its message', async () => {
    const { id, contactId } = await accepted('died@example.com');
    const messages = { ...world.messages, moveWithContact: () => Promise.reject(new Error('the run has died')) };
    const dying = outcomeRecorder({ ...world, messages });
    await expect(dying.record(account.ref, id, { trigger: 'opened' }, startMs)).rejects.toThrow('died');
    expect(await record(id, 'opened')).toBe(true);
    expect((await contactOf(contactId))?.score).toBe(55);
  });

  it('stores the code, and the reason encrypted', async () => {
    const { id, contactId } = await accepted('sealed@example.com');
    const failure = { code: '5.1.1', reason: '550 nobody called sealed@example.com' };
    await world.outcomeRecorder.record(account.ref, id, { trigger: 'addressRejected', failure }, startMs);
    expect(await messageOf(id)).toMatchObject({
      status: 'bounced',
      failureCode: '5.1.1',
      failureReason: failure.reason,
      failedAt: null,
    });
    expect(await contactOf(contactId)).toMatchObject({ status: 'bounced', score: 25 });
    expect(JSON.stringify(await world.scan())).not.toContain('nobody called');
  });

  it('stores no reason when the recipient is erased between the read of the message and its move', async () => {
    const { id } = await accepted('erased-meanwhile@example.com');
    await record(id, 'providerAccepted');
    const place = await placing(world.vault, spreadStore(world.table))(account.ref, { id, channel: 'email' });
    const read = async (...asked: Parameters<World['messages']['read']>) => {
      const found = await world.messages.read(...asked);
      const open = async () => {
        const opened = await found?.open();
        if (opened?.to) await world.table.transact(eraseWrites(place, { status: 'sent' }));
        return opened;
      };
      return found && { ...found, open };
    };
    const recorder = outcomeRecorder({ ...world, messages: { ...world.messages, read } });
    const failure = { code: '5.1.1', reason: '550 nobody called erased-meanwhile@example.com' };
    expect(await recorder.record(account.ref, id, { trigger: 'addressRejected', failure }, startMs)).toBe(true);
    expect(await messageOf(id)).toMatchObject({
      status: 'bounced',
      to: null,
      failureCode: '5.1.1',
      failureReason: null,
    });
  });

  it('moves a message whose contact is retired', async () => {
    const { id, contactId } = await accepted('retired@example.com');
    await world.contacts.retire(account.ref, contactId, startMs);
    expect(await record(id, 'complained')).toBe(true);
    expect((await messageOf(id))?.status).toBe('complained');
  });

  it.each([
    ['opened', 'opened', 'addressRejected', 'bounced'],
    ['clicked', 'clicked', 'addressRejected', 'bounced'],
    ['sendInterrupted', 'failed', 'addressRejected', 'bounced'],
    ['sendInterrupted', 'failed', 'complained', 'complained'],
    ['addressRejected', 'bounced', 'complained', 'complained'],
  ] as const)(
    'after %s leaves the message %s, and changes the contact once by %s, however often it comes',
    async (earlier, status, trigger, contactStatus) => {
      const { id, contactId } = await accepted(`${earlier}-${trigger}@example.com`);
      await record(id, earlier);
      const before = await messageOf(id);
      const scoreBefore = (await contactOf(contactId))?.score ?? 0;
      const results = await Promise.all(Array.from({ length: 4 }, () => record(id, trigger)));
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await messageOf(id)).toEqual({ ...before, lateReports: [contactStatus] });
      expect(before?.status).toBe(status);
      const score = Math.max(0, scoreBefore - (trigger === 'complained' ? 50 : 25));
      expect(await contactOf(contactId)).toMatchObject({ status: contactStatus, score });
      await world.contacts.setStatus(account.ref, contactId, 'active', startMs);
      expect(await record(id, trigger)).toBe(false);
      expect(await contactOf(contactId)).toMatchObject({ status: 'active', score });
    },
  );

  it('after an opening suppresses the address that its contact no longer has, until it is taken off', async () => {
    const { id, contactId } = await accepted('late-old@example.com');
    await record(id, 'opened');
    await world.contacts.change(account.ref, contactId, (before) =>
      changed(before, { email: 'late-new@example.com' }, startMs),
    );
    const isListed = async () =>
      (await world.suppressions.list(account.ref, { limit: 100 })).some(
        ({ address }) => address === 'late-old@example.com',
      );
    await record(id, 'addressRejected');
    expect(await isListed()).toBe(true);
    await world.suppressions.remove(account.ref, { channel: 'email', address: { email: 'late-old@example.com' } });
    await record(id, 'addressRejected');
    expect(await isListed()).toBe(false);
  });

  it('ignores a message that is unknown, of another account, or not yet sent', async () => {
    const { id, contactId } = await accepted('nothing@example.com');
    const foreign = await world.newAccount();
    expect(await record(newId(Date.now()), 'opened')).toBe(false);
    expect(await record('no id', 'opened')).toBe(false);
    expect(await world.outcomeRecorder.record(foreign.ref, id, { trigger: 'opened' }, startMs)).toBe(false);
    expect(await record(id, 'read')).toBe(false);
    expect((await messageOf(id))?.status).toBe('sending');
    expect((await contactOf(contactId))?.score).toBe(50);
  });

  it('returns no credit', async () => {
    const { id } = await accepted('paid@example.com');
    const before = await world.accounts.credits(account.ref.id);
    await record(id, 'contentRejected');
    expect(await world.accounts.credits(account.ref.id)).toEqual(before);
  });

  it('follows the table of moves, for any outcomes in any order', async () => {
    let nth = 0;
    const sequences = fc.array(fc.constantFrom(...triggers), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        nth += 1;
        const { id, contactId } = await accepted(`model${nth}@example.com`);
        let state = await seen(id, contactId);
        for (const [n, trigger] of sequence.entries()) {
          state = modelOf(state, trigger, startMs + n);
          await record(id, trigger, startMs + n);
          expect(await seen(id, contactId)).toEqual(state);
        }
      }),
      { numRuns: modelRuns(10) },
    );
  });
});

describe('an outcome of an email to an address that its contact no longer has', () => {
  /** An account that enforces its list, with an email that it sent to a contact's old address. */
  const corrected = async (to: string, next: string | null) => {
    const account = await world.newAccount({ settings: { suppressions: 'enforced' } });
    const { id, contactId } = await acceptedOn(account)(to);
    await recordOn(account)(id, 'providerAccepted');
    await world.contacts.change(account.ref, contactId, (before) =>
      changed(before, { email: next, phone: '+8801777777777' }, startMs),
    );
    return { account, id, contactId };
  };
  const suppressedIn = async ({ ref }: TestAccount) =>
    (await world.suppressions.list(ref, { limit: 10 })).map(
      ({ channel, address, reason }) => `${channel} ${address} ${reason}`,
    );
  const sendingTo = ({ ref }: TestAccount, to: string) =>
    acceptEmail(world, ref, newEmail({ channel: 'email', to }, newId(Date.now())));
  const unsubscribe = ({ ref }: TestAccount, id: string) => world.outcomeRecorder.optOut(ref, id, startMs);
  const outcomes = [
    ['bounced', (account: TestAccount, id: string) => recordOn(account)(id, 'addressRejected')],
    ['complained', (account: TestAccount, id: string) => recordOn(account)(id, 'complained')],
    ['unsubscribed', unsubscribe],
  ] as const;

  it.each(outcomes)('%s: suppresses that address, and leaves the contact as it is', async (reason, happen) => {
    for (const next of ['new@example.com', null]) {
      const { account, id, contactId } = await corrected('Old@example.com', next);
      const before = await world.contacts.find(account.ref, contactId);
      for (let n = 0; n < 2; n += 1) await happen(account, id);
      expect((await world.messages.find(account.ref, id))?.status).toBe(reason);
      expect(await world.contacts.find(account.ref, contactId)).toEqual(before);
      expect(await suppressedIn(account)).toEqual([`email Old@example.com ${reason}`]);
      expect(await sendingTo(account, 'old@example.com')).toMatchObject({ blocked: { by: 'suppressed' } });
      expect(await sendingTo(account, 'new@example.com')).toBe('accepted');
      await world.suppressions.remove(account.ref, { channel: 'email', address: { email: 'old@example.com' } });
      expect(await sendingTo(account, 'old@example.com')).toBe('accepted');
    }
  });

  it.each(outcomes)('%s: applies to the contact that has the address now', async (reason, happen) => {
    const { account, id, contactId } = await corrected('old@example.com', 'new@example.com');
    const other = { id: newId(startMs), details: detailsOf({ email: 'OLD@example.com' }) };
    await world.contacts.create(account.ref, other, startMs);
    await happen(account, id);
    expect(await world.contacts.find(account.ref, contactId)).toMatchObject({ status: 'active', score: 50 });
    expect(await world.contacts.find(account.ref, other.id)).toMatchObject({ status: reason });
    expect(await suppressedIn(account)).toContain(`email OLD@example.com ${reason}`);
    await world.contacts.setStatus(account.ref, other.id, 'active', startMs);
    expect(await suppressedIn(account)).toEqual([]);
  });

  it('delivered or opened: leaves the contact’s score as it is', async () => {
    const { account, id, contactId } = await corrected('old@example.com', 'new@example.com');
    for (const trigger of ['deliveryConfirmed', 'opened'] as const) await recordOn(account)(id, trigger);
    expect((await world.messages.find(account.ref, id))?.status).toBe('opened');
    expect(await world.contacts.find(account.ref, contactId)).toMatchObject({ score: 50 });
    expect(await suppressedIn(account)).toEqual([]);
  });

  it('keeps the entry that the account made of the address', async () => {
    const { account, id } = await corrected('old@example.com', 'new@example.com');
    const entry = { id: newId(startMs), channel: 'email', address: { email: 'old@example.com' } } as const;
    await world.suppressions.add(account.ref, { ...entry, reason: 'manual' });
    await recordOn(account)(id, 'complained');
    expect(await suppressedIn(account)).toEqual(['email old@example.com manual']);
  });

  it('applies to the contact when the email differs in letter case only', async () => {
    const { account, id, contactId } = await corrected('old@example.com', 'OLD@Example.com');
    await recordOn(account)(id, 'addressRejected');
    expect(await world.contacts.find(account.ref, contactId)).toMatchObject({ status: 'bounced', score: 25 });
  });

  it('suppresses the address of a retired contact', async () => {
    const { account, id, contactId } = await corrected('old@example.com', 'OLD@example.com');
    await world.contacts.retire(account.ref, contactId, startMs);
    await recordOn(account)(id, 'complained');
    expect(await suppressedIn(account)).toEqual(['email old@example.com complained']);
  });

  it('moves the message alone when its recipient has been erased', async () => {
    const { account, id, contactId } = await corrected('old@example.com', 'new@example.com');
    const messages = {
      ...world.messages,
      read: async () => {
        const message = (await world.messages.find(account.ref, id)) ?? expect.fail();
        return { row: message, open: async () => ({ ...message, to: null }) };
      },
    };
    await world.contacts.retire(account.ref, contactId, startMs);
    expect(await outcomeRecorder({ ...world, messages }).record(account.ref, id, { trigger: 'opened' }, startMs)).toBe(
      true,
    );
    expect(await suppressedIn(account)).toEqual([]);
  });
});

it('a delivered or read text to a phone that its contact no longer has changes neither contact nor suppressions', async () => {
  const account = await world.newAccount();
  const { id, contactId = '' } = await handedOverText(world, account, { channel: 'whatsapp' });
  await world.contacts.change(account.ref, contactId, (before) =>
    changed(before, { phone: '+8801888888888' }, startMs),
  );
  expect(await recordOn(account)(id, 'read')).toBe(true);
  expect(await world.contacts.find(account.ref, contactId)).toMatchObject({ score: 50, status: 'active' });
  expect(await world.suppressions.list(account.ref, { limit: 10 })).toEqual([]);
});

/** All that outcomes change. */
const seen = async (id: string, contactId: string) => {
  const [item, contact] = [
    await world.table.get(itemKeys.message(account.ref.id, 'email', 0, id)),
    await contactOf(contactId),
  ];
  if (!item || !contact) throw new Error('missing');
  const { status, sentAt, deliveredAt, failedAt, GSI1PK, lateReports = [] } = item;
  return {
    message: { status: status as Status, sentAt, deliveredAt, failedAt, GSI1PK },
    contact,
    late: lateReports as Status[],
  };
};

const reactedRow = (before: KeptContact, to: Status, nowMs: number): KeptContact => {
  const after = reacted(before, to, nowMs);
  return { ...after, hasOneRow: before.hasOneRow && isUnchanged(after) };
};

/** The same by the rules alone. */
const modelOf = (state: Awaited<ReturnType<typeof seen>>, trigger: Trigger, nowMs: number): typeof state => {
  const { message, contact, late } = state;
  const { to, stamps = [] } = moveBy(trigger);
  if (!permits(trigger, { channel: 'email', status: message.status })) {
    const isNews = (to === 'bounced' || to === 'complained') && ![message.status, ...late].includes(to);
    return isNews ? { message, contact: reactedRow(contact, to, nowMs), late: [...late, to] } : state;
  }
  return {
    late,
    message: {
      ...message,
      ...Object.fromEntries(stamps.map((stamp) => [stamp, message[stamp] ?? iso(nowMs)])),
      status: to,
      GSI1PK:
        to === 'sent' || to === 'delivered' ? undefined : indexKeys.message(account.ref.id, 'email', to, 0, '').GSI1PK,
    },
    contact: reactedRow(contact, to, nowMs),
  };
};

describe('opting out', () => {
  it('unsubscribes message and contact; once more, only consents since then end as well', async () => {
    const { id, contactId } = await accepted('out@example.com');
    await record(id, 'deliveryConfirmed');
    expect(await world.outcomeRecorder.optOut(account.ref, id, startMs)).toBe('contact');
    const once = [await messageOf(id), await contactOf(contactId)];
    expect(once).toMatchObject([{ status: 'unsubscribed' }, { status: 'unsubscribed', score: 51 }]);
    expect(await world.outcomeRecorder.optOut(account.ref, id, startMs + 1_000)).toBe('contact');
    const unsubscribedAt = iso(startMs + 1_000);
    expect([await messageOf(id), await contactOf(contactId)]).toEqual([once[0], { ...once[1], unsubscribedAt }]);
  });

  it('is not undone by a change of a contact that was read before', async () => {
    const { id, contactId } = await accepted('undone@example.com');
    await world.outcomeRecorder.optOut(account.ref, id, startMs);
    let changes = 0;
    const transact: World['table']['transact'] = async (writes) => {
      changes += 1;
      if (changes === 1) await world.outcomeRecorder.optOut(account.ref, id, startMs + 1_000);
      return world.table.transact(writes);
    };
    const contacts = contactStore({ ...world.table, transact }, world.vault);
    await contacts.change(account.ref, contactId, (before) => changed(before, { firstName: 'Ada' }, startMs + 2_000));
    expect(await contactOf(contactId)).toMatchObject({ firstName: 'Ada', unsubscribedAt: iso(startMs + 1_000) });
  });

  it('applies also when the message is recorded as failed', async () => {
    const { id, contactId } = await accepted('failed@example.com');
    await record(id, 'sendInterrupted');
    expect(await world.outcomeRecorder.optOut(account.ref, id, startMs)).toBe('contact');
    expect([await messageOf(id), await contactOf(contactId)]).toMatchObject([
      { status: 'failed' },
      { status: 'unsubscribed' },
    ]);
  });

  it('keeps a contact complained', async () => {
    const { id, contactId } = await accepted('angry@example.com');
    await record(id, 'complained');
    await world.outcomeRecorder.optOut(account.ref, id, startMs);
    expect([await messageOf(id), await contactOf(contactId)]).toMatchObject([
      { status: 'complained' },
      { status: 'complained' },
    ]);
  });

  it('ignores an unknown message', async () => {
    expect(await world.outcomeRecorder.optOut(account.ref, newId(Date.now()), startMs)).toBeUndefined();
  });
});
