import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sender } from '../../../shared/compliance/send.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { cancelMessageContract } from './contract.ts';
import { cancelMessage } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const remove = (id: string, key = account.key) =>
  call(endpoint(cancelMessageContract, cancelMessage(world), world.callers('messages:send')), { key, path: { id } });

const credits = async () => (await world.accounts.credits(account.ref.id))?.email;

const schedule = () => {
  const nowMs = Date.now();
  const metadata = JsonText.of({ note: 'x'.repeat(5_000) });
  const body = { channel: 'email', to: 'ada@example.com', subject: 's', text: 't', metadata } as const;
  const send = sender({ ...world, platformAddress: 'no-reply@platform.example', clock: Date.now });
  return send({ account: account.ref, body: { ...body, sendAt: nowMs + 3_600_000 }, newId: newId(nowMs), nowMs });
};

describe('DELETE /messages/{id}', () => {
  it('204 deletes a scheduled message with its content, and gives its credit back', async () => {
    const before = await credits();
    const { id } = await schedule();
    expect(await credits()).toBe((before ?? 0) - 1);
    expect((await remove(id)).status).toBe(204);
    expect([await credits(), await world.messages.find(account.ref, id)]).toEqual([before, undefined]);
    expect((await world.messages.list(account.ref, {}, { limit: 10 })).page).toEqual([]);
    const left = (await world.scan()).filter(({ PK, SK }) => `${PK}/${SK}`.includes(id));
    expect(left.map(({ entity }) => entity)).toEqual(['due-message']);
    expect(left[0]).not.toHaveProperty('GSI1PK');
    expect((await remove(id)).body.error.code).toBe('message_not_found');
  });

  it('404 answers all but one of several requests that cancel a message at once, and its credit is given back once', async () => {
    const before = await credits();
    const { id } = await schedule();
    const answers = await Promise.all(Array.from({ length: 4 }, () => remove(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404]);
    expect(await credits()).toBe(before);
  });

  it('404 answers an unknown id and another account’s message alike, and deletes nothing', async () => {
    const { id } = await schedule();
    const other = await world.newAccount();
    for (const { status, body } of [await remove(id, other.key), await remove('x')])
      expect([status, body.error.code]).toEqual([404, 'message_not_found']);
    expect(await world.messages.find(account.ref, id)).toMatchObject({ id, isHeld: true });
  });

  it('409 refuses a message that is not scheduled, or has been begun', async () => {
    const atOnce = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(Date.now()));
    await acceptEmail(world, account.ref, atOnce);
    const begun = await schedule();
    const stored = await world.messages.find(account.ref, begun.id);
    if (stored) await world.scheduled.begin(account.ref, stored, 'token', Date.now());
    for (const { id } of [atOnce, begun]) {
      const { status, body } = await remove(id);
      expect([status, body.error.code]).toEqual([409, 'conflict']);
    }
  });
});
