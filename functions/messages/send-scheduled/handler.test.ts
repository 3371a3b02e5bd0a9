import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newAccountSettings } from '../../../shared/accounts/account.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { newId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import { hourMs, minuteMs } from '../../../shared/kit/time-units.ts';
import { failures } from '../../../shared/messages/failures.ts';
import type { MailOutcome } from '../../../shared/messages/mail.ts';
import { channels } from '../../../shared/messages/message.ts';
import { timelineOf } from '../../../shared/messages/timeline.ts';
import { scheduledStore } from '../../../shared/table/messages/scheduled-store.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { modelRuns } from '../../../test/model-runs.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { endSend } from '../end-interrupted-send/end-send-fixture.ts';
import {
  bodyTo,
  newBench,
  platformAddress,
  quietSettings,
  type ScheduledWrite,
  startMs,
} from './send-scheduled-fixture.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const creditsOf = async (id: string) => world.accounts.credits(id);

/** What is left of waits: rows in the index of due messages, and parts of emails. */
const leftOf = async (accountId: string) =>
  (await world.scan()).filter(
    (item) =>
      String(item['PK']).startsWith(`A#${accountId}#`) &&
      (item['entity'] === 'mail-part' || String(item['GSI1PK']).startsWith('OPEN#message')),
  );

describe('a scheduled message', () => {
  it('ends, with its credit returned, where an email could not be sent until its content was deleted', async () => {
    const { ref } = await world.newAccount();
    const bench = newBench(world);
    const { id } = await bench.send(ref, await bodyTo(world, ref, 'email'), 30 * minuteMs);
    for (const item of await leftOf(ref.id))
      if (item['entity'] === 'mail-part') await world.table.remove({ PK: String(item['PK']), SK: String(item['SK']) });
    bench.time.nowMs += 61 * 24 * hourMs;
    await bench.sweep();
    await bench.work();
    expect(bench.mails).toEqual([]);
    expect(await world.messages.find(ref, id)).toMatchObject({ status: 'failed', failureCode: 'expired' });
    expect([await creditsOf(ref.id), await leftOf(ref.id), bench.jobs]).toMatchObject([{ email: 100 }, [], []]);
  });

  it('is queued and paid for until its time, then an email is sent with all it was accepted with, and nothing is left of the wait', async () => {
    const { ref } = await world.newAccount();
    const bench = newBench(world);
    const body = await bodyTo(world, ref, 'email');
    // Random bytes do not compress, so this takes several parts.
    const file = Buffer.from(Array.from({ length: 700_000 }, (_, n) => (n * 7919 + (n >> 3) * 104_729) % 251));
    const attachments = [{ filename: 'a.bin', content: file.toString('base64') }];
    const message = await bench.send(ref, { ...body, attachments, tags: ['later'] }, 30 * minuteMs);
    const scheduledAt = iso(startMs + 30 * minuteMs);
    expect(message).toMatchObject({ status: 'queued', scheduledAt, sentAt: null, createdAt: iso(startMs) });
    expect(await creditsOf(ref.id)).toMatchObject({ email: 99 });
    bench.time.nowMs += 29 * minuteMs;
    await bench.sweep();
    await bench.work();
    expect([bench.mails, bench.jobs.map(({ atMs }) => atMs)]).toEqual([[], [startMs + 30 * minuteMs]]);
    bench.time.nowMs += minuteMs;
    await bench.work();
    expect(bench.mails).toMatchObject([{ messageId: message.id, to: body.to, subject: 'Hello', text: 'It works.' }]);
    expect(bench.mails[0]?.attachments[0]?.content.equals(file)).toBe(true);
    expect(bench.mails[0]?.unsubscribeUrl).toMatch(/^https:/);
    const sentAt = iso(bench.time.nowMs);
    expect(await world.messages.find(ref, message.id)).toMatchObject({ status: 'sent', scheduledAt, sentAt });
    expect(await leftOf(ref.id)).toEqual([]);
  });

  it('is sent from the address of the platform when the domain of its sender is verified no more', async () => {
    const verified = (verifiedDomains: string[]) => ({
      ...newAccountSettings('Test'),
      email: { ...newAccountSettings('Test').email, verifiedDomains },
    });
    const from = { from: 'ada@shop.example', fromName: 'Ada' };
    const { ref } = await world.newAccount({ settings: verified(['shop.example']) });
    const bench = newBench(world);
    for (const aheadMs of [30 * minuteMs, 60 * minuteMs])
      await bench.send(ref, { ...(await bodyTo(world, ref, 'email')), ...from }, aheadMs);
    for (const domains of [['shop.example'], []]) {
      const account = (await world.accounts.find(ref.id)) ?? expect.fail();
      await world.accounts.save(account, { ...account, ...verified(domains) }, startMs);
      bench.time.nowMs += 30 * minuteMs;
      await bench.sweep();
      await bench.work();
    }
    expect(bench.mails.map((mail) => mail.from)).toEqual([
      { address: 'ada@shop.example', name: 'Ada' },
      { address: platformAddress, name: 'Ada' },
    ]);
  });

  it('is given to the worker of its channel when it is a text, which takes none before', async () => {
    const { ref } = await world.newAccount();
    const bench = newBench(world);
    const { contactId: _, ...body } = { contactId: '', ...(await bodyTo(world, ref, 'sms')) };
    const { id } = await bench.send(ref, { ...body, expiresInSeconds: 60 }, hourMs);
    const pickUp = () =>
      world.textSends.pickUp(
        ref,
        { message: id, channel: 'sms' },
        { token: newId(startMs), isRepeatable: false, nowMs: bench.time.nowMs },
      );
    expect(await pickUp()).toEqual({ kind: 'over' });
    bench.time.nowMs += hourMs;
    await bench.sweep();
    await bench.work();
    const expiresMs = startMs + hourMs + minuteMs;
    expect(await pickUp()).toMatchObject({ kind: 'claimed', text: 'Hello', message: { id, expiresMs } });
    expect(await leftOf(ref.id)).toEqual([]);
  });

  it('is given to its worker when it is a whatsapp text whose contact has been deleted since, under a frequency cap too', async () => {
    const frequencyCap = { max: 3, windowSeconds: 86_400 };
    const { ref } = await world.newAccount({ settings: { ...newAccountSettings('Test'), frequencyCap } });
    const writes: ScheduledWrite[] = [];
    const isInVain = (write: ScheduledWrite) => {
      writes.push(write);
      return writes.filter((one) => one === 'handOver').length > ids.length;
    };
    const bench = newBench(world, { dies: (write) => (isInVain(write) ? 'before' : 'no') });
    const { contactId, ...body } = { contactId: '', ...(await bodyTo(world, ref, 'whatsapp')) };
    await world.windows.open(ref, body.to, startMs);
    const ids = [(await bench.send(ref, body, hourMs)).id, (await bench.send(ref, body, 2 * hourMs)).id];
    for (const id of ids) {
      bench.time.nowMs += hourMs;
      await bench.sweep();
      await bench.work();
      const released = { status: 'queued', isHeld: false, slotMs: bench.time.nowMs };
      expect(await world.messages.find(ref, id)).toMatchObject(released);
      await world.contacts.retire(ref, contactId, bench.time.nowMs);
    }
    expect(await leftOf(ref.id)).toEqual([]);
  });

  it('gives its slot of the frequency cap back to the contact that has its phone by then, when it is not sent', async () => {
    const frequencyCap = { max: 1, windowSeconds: 86_400 };
    const { ref } = await world.newAccount({ settings: { ...newAccountSettings('Test'), frequencyCap } });
    const bench = newBench(world);
    const { contactId: former, ...body } = { contactId: '', ...(await bodyTo(world, ref, 'whatsapp')) };
    await world.windows.open(ref, body.to, startMs);
    const { id } = await bench.send(ref, body, hourMs);
    await world.contacts.retire(ref, former, startMs);
    const { contactId } = { contactId: '', ...(await bodyTo(world, ref, 'whatsapp', body.to)) };
    bench.time.nowMs += hourMs;
    await bench.sweep();
    await bench.work();
    const slots = async () =>
      (await world.sends.read(ref, { channel: 'whatsapp', contact: { phone: body.to } })).holder?.texted?.cap.times;
    expect(await slots()).toEqual([bench.time.nowMs]);
    const message = (await world.messages.find(ref, id)) ?? expect.fail();
    expect(message).toMatchObject({ contactId });
    await world.messages.fail(ref, message, 'sendFailed', failures.unavailable, bench.time.nowMs);
    expect(await slots()).toEqual([]);
  });

  it('gets a failure code 72 hours after it was sent without a report, also when its worker sent it days after its time', async () => {
    const { ref } = await world.newAccount();
    const bench = newBench(world);
    const { contactId: _, ...body } = { contactId: '', ...(await bodyTo(world, ref, 'sms')) };
    const { id } = await bench.send(ref, body, 20 * 24 * hourMs);
    const find = async () => (await world.messages.find(ref, id)) ?? expect.fail();
    const goOn = async (hours: number): Promise<void> => {
      bench.time.nowMs += hours * hourMs;
      await bench.sweep();
      await bench.work();
    };
    await goOn(20 * 24);
    await goOn(73);
    const claim = { token: newId(startMs), isRepeatable: false, nowMs: bench.time.nowMs };
    await world.textSends.pickUp(ref, { message: id, channel: 'sms' }, claim);
    await world.messages.move(ref, await find(), 'providerAccepted', bench.time.nowMs);
    await goOn(71);
    expect(await find()).toMatchObject({ status: 'sent', failureCode: null });
    await goOn(1);
    await goOn(1);
    expect(await find()).toMatchObject({ status: 'sent', failureCode: 'report_timeout' });
  });

  it('gets a failure code 72 hours after it was sent without a report, also when it was accepted days before', async () => {
    const { ref } = await world.newAccount();
    const bench = newBench(world);
    const sendText = async () => {
      const { contactId: _, ...body } = { contactId: '', ...(await bodyTo(world, ref, 'sms')) };
      return (await bench.send(ref, body, 5 * 24 * hourMs)).id;
    };
    const find = async (id: string) => (await world.messages.find(ref, id)) ?? expect.fail();
    const [silent, reported] = [await sendText(), await sendText()];
    bench.time.nowMs += 5 * 24 * hourMs;
    await bench.sweep();
    await bench.work();
    for (const id of [silent, reported]) {
      const claim = { token: newId(startMs), isRepeatable: false, nowMs: bench.time.nowMs };
      await world.textSends.pickUp(ref, { message: id, channel: 'sms' }, claim);
      await world.messages.move(ref, await find(id), 'providerAccepted', bench.time.nowMs);
    }
    await world.messages.move(ref, await find(reported), 'deliveryConfirmed', bench.time.nowMs);
    bench.time.nowMs += 72 * hourMs - 5 * minuteMs;
    await bench.sweep();
    await bench.work();
    expect(await find(silent)).toMatchObject({ status: 'sent', failureCode: null });
    bench.time.nowMs += 5 * minuteMs;
    await bench.sweep();
    await bench.work();
    expect(await find(silent)).toMatchObject({ status: 'sent', failureCode: 'report_timeout' });
    expect(await find(reported)).toMatchObject({ status: 'delivered', failureCode: null });
    expect(await leftOf(ref.id)).toEqual([]);
  });

  it('waits for the end of quiet hours, and is not asked for them at its acceptance', async () => {
    const { ref } = await world.newAccount({ settings: quietSettings });
    const bench = newBench(world);
    bench.time.nowMs += 40 * minuteMs;
    const { contactId: _, ...body } = { contactId: '', ...(await bodyTo(world, ref, 'sms')) };
    const { id } = await bench.send(ref, body, 10 * minuteMs);
    bench.time.nowMs += 10 * minuteMs;
    await bench.sweep();
    await bench.work();
    expect(await world.messages.find(ref, id)).toMatchObject({
      status: 'queued',
      isHeld: true,
      scheduledAt: '2026-11-20T13:30:00.000Z',
    });
    bench.time.nowMs += 40 * minuteMs;
    await bench.sweep();
    await bench.work();
    expect(await world.messages.find(ref, id)).toMatchObject({ status: 'queued', isHeld: false });
  });

  it('ends failed with its credits back when quiet hours leave no time: it would wait for ever', async () => {
    const quietHours = { start: '00:00', end: '23:59', withCountryRules: false };
    const { ref } = await world.newAccount({ settings: { ...quietSettings, quietHours } });
    const bench = newBench(world);
    const { contactId: _, ...inTheUsa } = { contactId: '', ...(await bodyTo(world, ref, 'sms', '+12125550100')) };
    const credits = await world.accounts.credits(ref.id);
    const { id } = await bench.send(ref, inTheUsa, 10 * minuteMs);
    bench.time.nowMs += 10 * minuteMs;
    await bench.sweep();
    await bench.work();
    expect(await world.messages.find(ref, id)).toMatchObject({ status: 'failed', failureCode: 'send_blocked' });
    expect(await world.accounts.credits(ref.id)).toEqual(credits);
    expect(await leftOf(ref.id)).toEqual([]);
  });

  it.each([
    ['sms', 'withdrawn'],
    ['email', 'frozen'],
    ['whatsapp', 'window'],
  ] as const)('ends failed with the reason and its credits back: %s, %s', async (channel, why) => {
    const { ref } = await world.newAccount();
    const bench = newBench(world);
    const { contactId, ...body } = { contactId: '', ...(await bodyTo(world, ref, channel)) };
    const before = await creditsOf(ref.id);
    const { id } = await bench.send(ref, body, hourMs);
    if (why === 'withdrawn') {
      const entry = { source: 'form', text: null, by: 'operator', at: iso(startMs + 1) } as const;
      await world.consents.record(ref, contactId, {
        id: newId(startMs + 1),
        channel: 'sms',
        status: 'withdrawn',
        ...entry,
      });
    }
    if (why === 'frozen') {
      const account = await world.accounts.find(ref.id);
      if (account) await world.accounts.save(account, { ...account, status: 'frozen' }, startMs);
    }
    bench.time.nowMs += hourMs;
    await bench.sweep();
    await bench.work();
    const failed = await world.messages.find(ref, id);
    expect(failed).toMatchObject({ status: 'failed', failureCode: 'send_blocked', isHeld: false });
    expect(failed?.failureReason).toMatch(/withdrawn|frozen|window is closed/);
    expect([bench.mails, await creditsOf(ref.id), await leftOf(ref.id)]).toEqual([[], before, []]);
  });

  it('is not accepted again by the request of a cancelled one', async () => {
    const { ref } = await world.newAccount();
    const bench = newBench(world);
    const body = await bodyTo(world, ref, 'email');
    const { id, scheduledAt } = await bench.send(ref, body, hourMs);
    await bench.cancel(ref, id);
    expect(await leftOf(ref.id)).toEqual([]);
    expect(await bench.send(ref, body, hourMs, id)).toMatchObject({ id, scheduledAt });
    expect([await world.messages.find(ref, id), await creditsOf(ref.id)]).toMatchObject([undefined, { email: 100 }]);
  });

  it('is sent again later when the provider takes no email, and given up after a day', async () => {
    const { ref } = await world.newAccount();
    let answer: MailOutcome = { kind: 'unavailable', retryAfterSeconds: 1 };
    const bench = newBench(world, { answer: () => answer });
    const ids = [];
    for (let n = 0; n < 2; n += 1)
      ids.push((await bench.send(ref, await bodyTo(world, ref, 'email'), hourMs * (1 + n))).id);
    const go = async (ms: number) => {
      bench.time.nowMs += ms;
      await bench.sweep();
      await bench.work();
    };
    await go(hourMs);
    expect(await world.messages.find(ref, ids[0] ?? '')).toMatchObject({ status: 'queued', isHeld: true });
    await endSend(world)({ account: ref.id, message: ids[0] ?? '', channel: 'email' }, bench.time.nowMs);
    answer = { kind: 'accepted' };
    await go(minuteMs);
    expect(await world.messages.find(ref, ids[0] ?? '')).toMatchObject({ status: 'sent' });
    answer = { kind: 'unavailable' };
    await go(hourMs);
    await go(25 * hourMs);
    expect(await world.messages.find(ref, ids[1] ?? '')).toMatchObject({ failureCode: 'provider_unavailable' });
    expect([bench.mails.length, await creditsOf(ref.id), await leftOf(ref.id)]).toMatchObject([1, { email: 99 }, []]);
  });

  it('is tried less often the longer its provider takes no email, and its history does not grow with the attempts', async () => {
    const { ref } = await world.newAccount();
    let attempts = 0;
    const answer = (): MailOutcome => {
      attempts += 1;
      return { kind: 'unavailable' };
    };
    const bench = newBench(world, { answer });
    const { id } = await bench.send(ref, await bodyTo(world, ref, 'email'), hourMs);
    bench.time.nowMs += hourMs;
    const attemptsIn = async (minutes: number) => {
      const before = attempts;
      for (let n = 0; n < minutes; n += 1) {
        await bench.sweep();
        await bench.work();
        bench.time.nowMs += minuteMs;
      }
      return attempts - before;
    };
    expect(await attemptsIn(10)).toBe(10);
    const later = [await attemptsIn(50), await attemptsIn(60)];
    expect(later[0]).toBeLessThan(25);
    expect(later[1]).toBe(12);
    const waiting = await world.messages.find(ref, id);
    expect(waiting && timelineOf({ ...waiting, message: waiting }, []).map(({ type }) => type)).toEqual([
      'accepted',
      'queued',
      'sending',
      'attempt',
      'queued',
    ]);
  });

  it('is queued once by all the sweeps that a pause of sending has left', async () => {
    const { ref } = await world.newAccount();
    const bench = newBench(world);
    await bench.send(ref, await bodyTo(world, ref, 'email'), 30 * minuteMs);
    bench.time.nowMs += 90 * minuteMs;
    const waits = Array.from({ length: 20 }, (_, minutes) => minutes * minuteMs);
    await Promise.all(waits.map((waitedMs) => bench.give([{ kind: 'sweep' }], waitedMs)));
    expect(bench.jobs.filter(({ job }) => job.kind === 'send' && job.account === ref.id)).toHaveLength(1);
    await bench.work();
    expect(bench.mails).toHaveLength(1);
  });

  it('is tried once more when a pause of sending has lasted longer than that day', async () => {
    const { ref } = await world.newAccount();
    let answer: MailOutcome = { kind: 'unavailable' };
    const bench = newBench(world, { answer: () => answer });
    const { id } = await bench.send(ref, await bodyTo(world, ref, 'email'), hourMs);
    for (const ms of [hourMs, 48 * hourMs]) {
      bench.time.nowMs += ms;
      await bench.sweep();
      await bench.work();
      answer = { kind: 'accepted' };
    }
    expect(await world.messages.find(ref, id)).toMatchObject({ status: 'sent' });
  });
});

describe('an email that a busy provider did not take from its request', () => {
  const busy: MailOutcome = { kind: 'unavailable', isBusy: true, retryAfterSeconds: 1 };

  const putOff = async (id?: string) => {
    const { ref } = await world.newAccount();
    const provider: { answer: MailOutcome } = { answer: busy };
    const bench = newBench(world, { answer: () => provider.answer });
    const attachments = [{ filename: 'a.txt', content: Buffer.from('attached').toString('base64') }];
    const message = await bench.send(ref, { ...(await bodyTo(world, ref, 'email')), attachments }, undefined, id);
    const go = async (ms: number) => {
      bench.time.nowMs += ms;
      await bench.sweep();
      await bench.work();
    };
    return { ref, provider, bench, message, go, now: () => world.messages.find(ref, message.id) };
  };

  it('is accepted, and sent by the next sweep, once, with its files', async () => {
    const { ref, provider, bench, message, go, now } = await putOff();
    expect(message).toMatchObject({ status: 'queued', sentAt: null });
    expect(message).not.toHaveProperty('scheduledAt');
    await endSend(world)({ account: ref.id, message: message.id, channel: 'email' }, bench.time.nowMs + hourMs);
    expect([bench.mails, await now(), await creditsOf(ref.id)]).toMatchObject([
      [],
      { status: 'queued', isHeld: true },
      { email: 99 },
    ]);
    provider.answer = { kind: 'accepted' };
    await go(minuteMs);
    expect(bench.mails).toMatchObject([{ messageId: message.id, attachments: [{ filename: 'a.txt' }] }]);
    expect(await now()).toMatchObject({ status: 'sent', isHeld: false, sentAt: iso(bench.time.nowMs) });
    expect([await creditsOf(ref.id), await leftOf(ref.id)]).toMatchObject([{ email: 99 }, []]);
  });

  it('is queued in its list, in its timeline, and can be cancelled; it has no time that could be changed', async () => {
    const { ref, bench, message, go, now } = await putOff();
    const { page } = await world.messages.list(ref, { status: 'queued' }, { limit: 10 });
    expect(page).toMatchObject([{ id: message.id }]);
    const found = await now();
    expect(found && timelineOf({ ...found, message: found }, [])).toMatchObject([
      { type: 'accepted' },
      { type: 'attempt', detail: { outcome: 'unavailable' } },
      { type: 'queued' },
    ]);
    await expect(bench.reschedule(ref, message.id, hourMs)).rejects.toMatchObject({ code: 'conflict' });
    await bench.cancel(ref, message.id);
    await go(hourMs);
    expect([bench.mails, await now(), await creditsOf(ref.id), await leftOf(ref.id)]).toMatchObject([
      [],
      undefined,
      { email: 100 },
      [],
    ]);
  });

  it('is queued at the end of its timeline after each try of a worker, and that does not grow with the tries', async () => {
    const { provider, go, now } = await putOff();
    const told = async () => {
      await go(minuteMs);
      const found = await now();
      return found && timelineOf({ ...found, message: found }, []).map(({ type }) => type);
    };
    const waiting = ['accepted', 'attempt', 'queued', 'sending', 'attempt', 'queued'];
    expect([await told(), await told(), await told()]).toEqual([waiting, waiting, waiting]);
    provider.answer = { kind: 'accepted' };
    expect(await told()).toEqual([...waiting, 'attempt', 'sent']);
  });

  it('is not accepted again by its repeated request after it was cancelled', async () => {
    const { ref, provider, bench, message, go, now } = await putOff();
    await bench.cancel(ref, message.id);
    provider.answer = { kind: 'accepted' };
    const body = { channel: 'email', to: message.to ?? '', subject: 'Hello', text: 'It works.' } as const;
    expect(await bench.send(ref, body, undefined, message.id)).toEqual(message);
    await go(hourMs);
    expect([bench.mails, await now(), await creditsOf(ref.id), await leftOf(ref.id)]).toMatchObject([
      [],
      undefined,
      { email: 100 },
      [],
    ]);
  });

  it('raises an alarm when it has waited for over a quarter of an hour', async () => {
    const { go } = await putOff();
    const alarming = async (ms: number) =>
      (await linesOf(() => go(ms))).filter(({ mailRefused }) => mailRefused === true).map(({ level }) => level);
    expect([await alarming(minuteMs), await alarming(10 * minuteMs), await alarming(10 * minuteMs)]).toEqual([
      [],
      [],
      ['error'],
    ]);
  });

  it('is tried for a day from then, also where the first request with its Idempotency-Key failed a day before', async () => {
    const { provider, bench, message, go, now } = await putOff(newId(startMs - 24 * hourMs));
    await go(minuteMs);
    await go(23 * hourMs);
    expect(await now()).toMatchObject({ status: 'queued', isHeld: true });
    provider.answer = { kind: 'accepted' };
    await go(10 * minuteMs);
    expect(await now()).toMatchObject({ status: 'sent' });
    expect(bench.mails.filter(({ messageId }) => messageId === message.id)).toHaveLength(1);
  });

  it('is tried twice where a pause of sending, or a restore, has lasted longer than the day of its attempts', async () => {
    const { provider, go, now } = await putOff();
    await go(48 * hourMs);
    expect(await now()).toMatchObject({ status: 'queued', isHeld: true });
    provider.answer = { kind: 'accepted' };
    await go(10 * minuteMs);
    expect(await now()).toMatchObject({ status: 'sent' });
  });

  it('ends with its credit returned when the provider takes no email for a day', async () => {
    const { ref, bench, go, now } = await putOff();
    await go(minuteMs);
    await go(25 * hourMs);
    expect(await now()).toMatchObject({ status: 'failed', failureCode: 'provider_unavailable' });
    expect([bench.mails, await creditsOf(ref.id), await leftOf(ref.id)]).toMatchObject([[], { email: 100 }, []]);
  });

  it('keeps no message waiting that is due at its time, also after a worker has tried it, however many there are', async () => {
    const own = await startWorld();
    onTestFinished(() => own.close());
    const { ref } = await own.newAccount();
    const scheduled = scheduledStore(own.table, own.vault, own.spreads, 1);
    const bench = newBench({ ...own, scheduled }, { answer: () => busy });
    // Ids that end alike lie in the same partition, of which a sweep reads one row at first.
    const idOf = (n: number) => newId(startMs, new Uint8Array(10).fill(n, 0, 9));
    for (const n of [1, 2, 3]) await bench.send(ref, await bodyTo(own, ref, 'email'), undefined, idOf(n));
    for (const n of [4, 5]) {
      const { id } = await bench.send(ref, await bodyTo(own, ref, 'sms'), 6 * minuteMs, idOf(n));
      bench.time.nowMs += 5 * minuteMs;
      await bench.sweep();
      expect(bench.jobs.map(({ job }) => job)).toContainEqual(expect.objectContaining({ message: id }));
      for (let turn = 0; turn < 4; turn += 1) await bench.work();
    }
    expect(bench.mails).toEqual([]);
  });

  it('is accepted too where the answer to that is lost, and withdrawn where it did not come to that', async () => {
    for (const fate of ['before', 'after']) {
      const { ref } = await world.newAccount();
      const { putOff, ...sends } = world.sends;
      const lost: typeof putOff = async (...order) => {
        if (fate === 'after') await putOff(...order);
        throw new Error('the answer is lost');
      };
      const bench = newBench({ ...world, sends: { ...sends, putOff: lost } }, { answer: () => busy });
      const answer = await Promise.allSettled([bench.send(ref, await bodyTo(world, ref, 'email'), undefined)]);
      const { page } = await world.messages.list(ref, {}, { limit: 10 });
      const credits = (await creditsOf(ref.id))?.email;
      if (fate === 'after')
        expect([answer, page, credits]).toMatchObject([[{ value: { status: 'queued' } }], [{ status: 'queued' }], 99]);
      else expect([answer, page, credits]).toMatchObject([[{ reason: { retryAfterSeconds: 1 } }], [], 100]);
    }
  });
});

const deaths = ['no', 'no', 'no', 'before', 'after'] as const;
const answers: Readonly<Record<string, MailOutcome>> = {
  accepts: { kind: 'accepted' },
  refuses: { kind: 'refused', code: 'MessageRejected', reason: 'No.' },
  'is down': { kind: 'unavailable' },
  'is busy': { kind: 'unavailable', isBusy: true, retryAfterSeconds: 1 },
  'keeps silent': { kind: 'unknown' },
};

type Action =
  | { readonly kind: 'send'; readonly channel: (typeof channels)[number]; readonly minutes: number }
  | { readonly kind: 'reschedule'; readonly nth: number; readonly minutes: number }
  | { readonly kind: 'cancel'; readonly nth: number }
  | { readonly kind: 'wait'; readonly minutes: number; readonly isSwept: boolean }
  | {
      readonly kind: 'work';
      readonly answer: string;
      readonly death: (typeof deaths)[number];
      readonly at: ScheduledWrite;
      readonly isRepeated: boolean;
    };

const minutes = fc.constantFrom(1, 2, 5, 20);
const nth = fc.nat({ max: 3 });
const writes: readonly ScheduledWrite[] = ['begin', 'handOver', 'fail', 'putBack', 'retire', 'reschedule'];
const action: fc.Arbitrary<Action> = fc.oneof(
  // No minutes: at once, to a busy provider.
  fc.record({
    kind: fc.constant('send' as const),
    channel: fc.constantFrom(...channels),
    minutes: fc.constantFrom(0, 1, 5, 20),
  }),
  fc.record({ kind: fc.constant('reschedule' as const), nth, minutes }),
  fc.record({ kind: fc.constant('cancel' as const), nth }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes, isSwept: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('work' as const),
      answer: fc.constantFrom(...Object.keys(answers)),
      death: fc.constantFrom(...deaths),
      at: fc.constantFrom(...writes),
      isRepeated: fc.boolean(),
    }),
  },
);

/** One account under these actions; then all is let come to its end. */
const play = async (actions: readonly Action[]): Promise<void> => {
  const { ref } = await world.newAccount({ settings: quietSettings });
  const start = await creditsOf(ref.id);
  let now: Partial<Extract<Action, { kind: 'work' }>> | undefined;
  const bench = newBench(world, {
    answer: () => answers[now?.answer ?? 'accepts'] ?? { kind: 'accepted' },
    dies: (write) => (now?.at === write ? (now.death ?? 'no') : 'no'),
  });
  const sent: { readonly id: string; readonly channel: (typeof channels)[number] }[] = [];
  const cancelled = new Set<string>();

  const orConflict = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (thrown) {
      if (thrown instanceof Fault && ['conflict', 'message_not_found'].includes(thrown.code)) return false;
      throw thrown;
    }
  };

  const watch = async (): Promise<void> => {
    for (const { id, channel } of sent)
      if (channel === 'email') await endSend(world)({ account: ref.id, message: id, channel }, bench.time.nowMs);
  };

  const act = async (one: Action): Promise<unknown> => {
    if (one.kind === 'send') return sent.length < 4 && sendTo(one);
    if (one.kind === 'wait') {
      bench.time.nowMs += one.minutes * minuteMs;
      return one.isSwept && bench.sweep();
    }
    if (one.kind === 'work') return work(one);
    const id = sent[one.nth % sent.length]?.id;
    if (id === undefined) return;
    if (one.kind === 'reschedule') return orConflict(() => bench.reschedule(ref, id, one.minutes * minuteMs));
    return (await orConflict(() => bench.cancel(ref, id))) && cancelled.add(id);
  };

  const sendTo = async ({ channel, minutes: ahead }: Extract<Action, { kind: 'send' }>): Promise<void> => {
    const { contactId: _, ...body } = { contactId: '', ...(await bodyTo(world, ref, channel)) };
    const isNow = ahead === 0 && channel === 'email';
    now = { answer: 'is busy' };
    sent.push(await bench.send(ref, body, isNow ? undefined : Math.max(ahead, 1) * minuteMs));
    now = undefined;
  };

  const work = async (one: Extract<Action, { kind: 'work' }>): Promise<void> => {
    now = one;
    const repeated = one.isRepeated ? bench.jobs.map(({ job }) => job) : [];
    await Promise.all([bench.work(), bench.give(repeated.slice(0, 2))]);
    now = undefined;
  };

  const check = async (): Promise<void> => {
    const mailed = bench.mails.map(({ messageId }) => messageId);
    expect(new Set(mailed).size).toBe(mailed.length);
    for (const id of cancelled) expect(mailed).not.toContain(id);
    const rows = await Promise.all(sent.map(({ id, channel }) => world.messages.find(ref, id, channel)));
    expect(rows.map((row) => row === undefined)).toEqual(sent.map(({ id }) => cancelled.has(id)));
    const paid = rows.flatMap((row) => (row ? [row.price] : []));
    const spent = (counter: string) =>
      paid.filter((price) => price.counter === counter).reduce((sum, { credits }) => sum + credits, 0);
    expect(await creditsOf(ref.id)).toEqual({
      email: (start?.email ?? 0) - spent('email'),
      smsMasked: (start?.smsMasked ?? 0) - spent('smsMasked'),
      smsNonMasked: (start?.smsNonMasked ?? 0) - spent('smsNonMasked'),
    });
  };

  for (const one of actions) {
    await act(one);
    await check();
  }
  for (let turn = 0; turn < 6; turn += 1) {
    bench.time.nowMs += 61 * minuteMs;
    await watch();
    await bench.sweep();
    await bench.work();
    bench.time.nowMs += 20_000;
    await bench.work();
  }
  await check();
  const rows = await Promise.all(sent.map(({ id, channel }) => world.messages.find(ref, id, channel)));
  for (const row of rows) {
    if (!row) continue;
    expect([row.channel, row.isHeld]).toEqual([row.channel, false]);
    if (row.status === 'failed') expect(row.price.credits).toBe(0);
    else expect(row.status).toBe(row.channel === 'email' ? 'sent' : 'queued');
  }
  expect(await leftOf(ref.id)).toEqual([]);
};

it('each scheduled message is sent once or cancelled once, and credits are exact, under any order of requests, sweeps, jobs and deaths of workers', async () => {
  const sequence = fc.array(action, { minLength: 6, maxLength: 18 });
  await fc.assert(fc.asyncProperty(sequence, play), { numRuns: modelRuns(3), endOnFailure: true });
});
