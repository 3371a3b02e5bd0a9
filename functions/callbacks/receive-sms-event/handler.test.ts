import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { longestRunMs } from '../../../shared/kit/longest-run.ts';
import { iso } from '../../../shared/kit/time.ts';
import { senderKey } from '../../../shared/table/accounts/sms-sender-items.ts';
import { handedOverText } from '../../../test/accepted-message.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { receiveSmsEvent } from './handler.ts';
import { smsNews } from './sms-event.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const sent = async () => (await handedOverText(world, account)).id;

/** An event as AWS publishes it. */
const notify = (messageId: string, eventType: string, more: object = {}, publishedMs = Date.now()) =>
  receiveSmsEvent(world)(
    smsNews.parse({
      eventType,
      eventVersion: '1.0',
      isFinal: true,
      messageId: 'aws',
      messageStatusDescription: 'In the words of AWS',
      context: { accountId: account.ref.id, messageId },
      ...more,
    }),
    Date.now(),
    publishedMs,
  );

/** Of a job that comes back. */
const anotherRun = { token: 'again', isRepeatable: true, nowMs: Date.now() + 2 * longestRunMs };

const statusOf = async (id: string) => {
  const message = await world.messages.find(account.ref, id);
  return [message?.status, message?.failureCode];
};

describe('an answer to a number of AWS', () => {
  const answer = (
    from: string,
    destinationNumber: string,
    messageBody: string,
    inboundMessageId: string,
    publishedMs = Date.now(),
  ) => {
    const inbound = { originationNumber: from, destinationNumber, messageBody, inboundMessageId, messageKeyword: 'X' };
    return receiveSmsEvent(world)(smsNews.parse(inbound), Date.now(), publishedMs);
  };
  const sendFrom = async (sender: string, { ref } = account) => {
    const before = await world.accounts.find(ref.id);
    if (!before) throw new Error('the account is gone');
    await world.accounts.save(before, { ...before, sms: { ...before.sms, sender } }, Date.now());
  };

  it('counts for every account that has the number, where it was saved before a number was one account’s', async () => {
    const number = '+12065550177';
    const [first, second] = [await world.newAccount(), await world.newAccount()];
    for (const { ref } of [first, second]) {
      const found = await world.accounts.find(ref.id);
      if (!found) throw new Error('the account is gone');
      await world.accounts.save(found, { ...found, sms: { ...found.sms, sender: number } }, Date.now());
      // An earlier release stored only the last account that saved the number.
      await world.table.remove(senderKey('12065550177'));
    }
    await world.table.put({ Item: { ...senderKey('12065550177'), entity: 'sms-sender', account: second.ref.id } });
    await answer('+8801712345678', number, 'STOP', 'e');
    for (const { ref } of [first, second]) {
      const { optOut } = await world.sends.read(ref, { channel: 'sms', contact: { phone: '+8801712345678' } });
      expect(optOut?.said.any?.status).toBe('withdrawn');
    }
  });

  it('overrides no newer one, also when it comes late or again, for a phone with and without a contact', async () => {
    await sendFrom('+12065550188');
    const { to } = (await world.messages.find(account.ref, await sent())) ?? {};
    const startMs = Date.now();
    for (const phone of [to ?? '', '+8801712345699']) {
      await answer(phone, '+12065550188', 'STOP', `stop ${phone}`, startMs - 1_000);
      for (let n = 0; n < 2; n += 1) await answer(phone, '+12065550188', 'START', `start ${phone}`, startMs - 2_000);
      const { optOut } = await world.sends.read(account.ref, { channel: 'sms', contact: { phone } });
      expect(optOut?.said.any?.status).toBe('withdrawn');
    }
  });

  it('goes to the account that sends from it, once', async () => {
    const id = await sent();
    const { contactId = '', to } = (await world.messages.find(account.ref, id)) ?? {};
    const statusOfContact = async () => (await world.contacts.find(account.ref, contactId))?.status;

    await answer(to ?? '', '+12065550100', 'STOP', 'a');
    expect(await statusOfContact()).toBe('active');
    await sendFrom('+12065550100');
    await answer(to ?? '', '+12065550100', 'STOP', 'a');
    expect(await statusOfContact()).toBe('unsubscribed');
    await answer(to ?? '', '12065550100', 'START', 'b');
    await answer(to ?? '', '+12065550100', 'STOP', 'a');
    expect(await statusOfContact()).toBe('active');
    await sendFrom('12345');
    await answer(to ?? '', '12345', 'STOP', 'd');
    expect(await statusOfContact()).toBe('unsubscribed');
  });

  it('goes to the last account that had the number, also to a frozen one, until another account has it', async () => {
    const number = '+12065550144';
    const [first, second] = [await world.newAccount({ settings: { status: 'frozen' } }), await world.newAccount()];
    const stopsAt = async (id: string) => {
      const phone = `+88019${id.padStart(8, '0')}`;
      await answer(phone, number, 'STOP', `late ${id}`);
      const said = async ({ ref }: TestAccount) =>
        (await world.sends.read(ref, { channel: 'sms', contact: { phone } })).optOut?.said.any?.status;
      return [await said(first), await said(second)];
    };
    await sendFrom(number, first);
    for (const [n, sender] of ['Shop', '+12065550145'].entries()) {
      await sendFrom(sender, first);
      expect(await stopsAt(`1${n}`)).toEqual(['withdrawn', undefined]);
    }
    await sendFrom(number, second);
    expect(await stopsAt('2')).toEqual([undefined, 'withdrawn']);
    await sendFrom('Shop', second);
    expect(await stopsAt('3')).toEqual([undefined, 'withdrawn']);
    await sendFrom(number, first);
    expect(await stopsAt('4')).toEqual(['withdrawn', undefined]);
    // As an earlier release stored it.
    await world.table.put({ Item: { ...senderKey('12065550144'), entity: 'sms-sender', account: first.ref.id } });
    await sendFrom('Shop', first);
    expect(await stopsAt('5')).toEqual(['withdrawn', undefined]);
  });

  it('is a consent to the account that has the number only, and to none when its last account has given it up', async () => {
    const [number, from] = ['+12065550155', '+8801712345633'];
    const [first, second] = [await world.newAccount(), await world.newAccount()];
    const said = async ({ ref }: TestAccount) =>
      (await world.sends.read(ref, { channel: 'sms', contact: { phone: from } })).optOut?.said.any?.status;
    await sendFrom(number, first);
    await sendFrom('Shop', first);
    await answer(from, number, 'START', 'given up');
    expect([await said(first), await said(second)]).toEqual([undefined, undefined]);
    await answer(from, number, 'STOP', 'late');
    await answer(from, number, 'START', 'after that');
    expect([await said(first), await said(second)]).toEqual(['withdrawn', undefined]);
    await sendFrom(number, second);
    await answer(from, number, 'START', 'of another');
    expect([await said(first), await said(second)]).toEqual(['withdrawn', 'active']);
  });
});

describe('an event of AWS', () => {
  it.each([
    ['TEXT_DELIVERED', 'delivered', null],
    ['TEXT_SUCCESSFUL', 'delivered', null],
    ['TEXT_QUEUED', 'sent', null],
    ['TEXT_PENDING', 'sent', null],
    ['TEXT_SENT', 'sent', null],
    ['TEXT_BLOCKED', 'rejected', 'blocked'],
    ['TEXT_CARRIER_BLOCKED', 'rejected', 'carrier_blocked'],
    ['TEXT_SPAM', 'rejected', 'spam'],
    ['TEXT_UNREACHABLE', 'failed', 'unreachable'],
    ['TEXT_INVALID', 'failed', 'invalid'],
    ['TEXT_TTL_EXPIRED', 'failed', 'ttl_expired'],
    ['TEXT_UNKNOWN', 'sent', null],
    ['TEXT_SOMETHING_NEW', 'sent', null],
    ['constructor', 'sent', null],
  ])('%s: the message is %s', async (eventType, status, failureCode) => {
    const id = await sent();
    await notify(id, eventType);
    expect(await statusOf(id)).toEqual([status, failureCode]);
    if (failureCode)
      expect(await world.messages.find(account.ref, id)).toMatchObject({ failureReason: 'In the words of AWS' });
  });

  it('ends nothing while the carrier is still trying', async () => {
    const id = await sent();
    await notify(id, 'TEXT_SUCCESSFUL', { isFinal: false });
    await notify(id, 'TEXT_UNREACHABLE', { isFinal: false });
    expect(await statusOf(id)).toEqual(['sent', null]);
    await notify(id, 'TEXT_DELIVERED');
    await notify(id, 'TEXT_UNREACHABLE');
    expect(await statusOf(id)).toEqual(['delivered', null]);
  });

  it.each([
    ['TEXT_QUEUED', true],
    ['TEXT_UNREACHABLE', false],
  ])('%s says that AWS has a text whose answer was lost, so it is sent, once', async (eventType, isFinal) => {
    const { id } = await handedOverText(world, account, { isAnswered: false });
    const publishedMs = Date.now() - 1_000;
    await notify(id, eventType, { isFinal }, publishedMs);
    expect(await world.messages.find(account.ref, id)).toMatchObject({ status: 'sent', sentAt: iso(publishedMs) });
    const picked = await world.textSends.pickUp(account.ref, { message: id, channel: 'sms' }, anotherRun);
    expect(picked).toEqual({ kind: 'over' });
  });

  it('changes nothing when it names no message of the account, or none at all', async () => {
    const id = await sent();
    const stranger = await world.newAccount();
    await notify(id, 'TEXT_BLOCKED', { context: { accountId: stranger.ref.id, messageId: id } });
    await notify(id, 'TEXT_BLOCKED', { context: { messageId: id } });
    for (const context of [undefined, null]) await notify(id, 'TEXT_BLOCKED', { context });
    await notify(newId(Date.now()), 'TEXT_BLOCKED');
    expect(await statusOf(id)).toEqual(['sent', null]);
  });
});
