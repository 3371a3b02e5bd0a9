import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sender } from '../../../shared/compliance/send.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import { dayMs, hourMs } from '../../../shared/kit/time-units.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { rescheduleMessageContract } from './contract.ts';
import { rescheduleMessage } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const patch = (id: string, sendAt: unknown, key = account.key) =>
  call(endpoint(rescheduleMessageContract, rescheduleMessage(world), world.callers('messages:send')), {
    ...{ key, path: { id }, body: { sendAt } },
  });

const schedule = (aheadMs = hourMs) => {
  const nowMs = Date.now();
  const body = { channel: 'email', to: 'ada@example.com', subject: 's', text: 't', sendAt: nowMs + aheadMs } as const;
  const send = sender({ ...world, platformAddress: 'no-reply@platform.example', clock: Date.now });
  return send({ account: account.ref, body, newId: newId(nowMs), nowMs });
};

describe('PATCH /messages/{id}', () => {
  it('200 moves a scheduled message, earlier or later, and shows it', async () => {
    const { id } = await schedule();
    for (const aheadMs of [2 * hourMs, 70_000]) {
      const scheduledAt = iso(Date.now() + aheadMs);
      const { status, body } = await patch(id, scheduledAt);
      expect([status, body.data]).toMatchObject([200, { id, status: 'queued', scheduledAt }]);
      expect(await world.messages.find(account.ref, id)).toMatchObject({ scheduledAt });
      const due = await Promise.all(
        world.scheduled.shards.map((shard) => world.scheduled.page(shard, Date.parse(scheduledAt))),
      );
      expect(due.flatMap(({ rows }) => rows.map(({ message }) => message))).toContain(id);
    }
  });

  it('200 keeps the content of an email until long after its time, however often it is moved; no content stays for good', async () => {
    const { id } = await schedule();
    const daysKept = async () => {
      const parts = (await world.scan()).filter(({ entity, PK }) => entity === 'mail-part' && String(PK).includes(id));
      const { scheduledAt = '' } = (await world.messages.find(account.ref, id)) ?? {};
      return parts.map(({ expiresAt }) => Math.round((Number(expiresAt) * 1_000 - Date.parse(scheduledAt)) / dayMs));
    };
    expect(await daysKept()).toEqual([60]);
    for (const days of [30, 45, 75, 20, 105]) {
      const message = (await world.messages.find(account.ref, id)) ?? expect.fail();
      expect(await world.scheduled.reschedule(account.ref, message, Date.now() + days * dayMs)).toBe(true);
      const [kept = 0] = await daysKept();
      expect(kept).toBeGreaterThanOrEqual(30);
    }
    const { mail } = (await world.scheduled.find(account.ref, { id, channel: 'email' })) ?? expect.fail();
    expect(mail?.text).toBe('t');
  });

  it('400 refuses a time less than a minute or more than 30 days ahead, and what is no time', async () => {
    const { id, scheduledAt } = await schedule();
    const inSeconds = (seconds: number) => iso(Date.now() + seconds * 1_000);
    for (const wrong of [inSeconds(-60), inSeconds(55), inSeconds(30 * 86_400 + 60), 'tomorrow', 12, undefined]) {
      const { status, body } = await patch(id, wrong);
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(body.error.message).toMatch(/^sendAt: /);
    }
    expect(await world.messages.find(account.ref, id)).toMatchObject({ scheduledAt });
  });

  it('404 answers an unknown id and another account’s message alike', async () => {
    const { id } = await schedule();
    const other = await world.newAccount();
    const answers = [await patch(id, iso(Date.now() + hourMs), other.key), await patch('x', iso(Date.now() + hourMs))];
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'message_not_found']);
  });

  it('409 refuses a message that is not scheduled, or has been begun', async () => {
    const atOnce = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(Date.now()));
    await acceptEmail(world, account.ref, atOnce);
    const begun = await schedule();
    const stored = await world.messages.find(account.ref, begun.id);
    if (stored) await world.scheduled.begin(account.ref, stored, 'token', Date.now());
    for (const { id } of [atOnce, begun]) {
      const { status, body } = await patch(id, iso(Date.now() + hourMs));
      expect([status, body.error.code]).toEqual([409, 'conflict']);
    }
  });
});
