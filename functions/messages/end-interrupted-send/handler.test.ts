import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { acceptEmail, acceptedText, handedOverText } from '../../../test/accepted-message.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { endSend } from './end-send-fixture.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const accepted = async () => {
  const message = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(Date.now()));
  await acceptEmail(world, account.ref, message);
  return message;
};
const end = (message: string, id = account.ref.id) => endSend(world)({ account: id, message }, Date.now());
const emailCredits = async () => (await world.accounts.credits(account.ref.id))?.email;

describe('ending interrupted sends', () => {
  it('ends a message that is still sending and gives its credit back, once', async () => {
    const before = await emailCredits();
    const { id } = await accepted();
    await Promise.all([end(id), end(id), end(id)]);
    expect(await world.messages.find(account.ref, id)).toMatchObject({
      status: 'failed',
      failureCode: 'send_interrupted',
    });
    expect(await emailCredits()).toBe(before);
  });

  it('records a text that its provider may have accepted as sent, unconfirmed and charged, unless a worker is processing it', async () => {
    const before = (await world.accounts.credits(account.ref.id))?.smsMasked;
    const job = await acceptedText(world, account);
    const nowMs = Date.now();
    await world.textSends.pickUp(account.ref, job, { token: randomUUID(), isRepeatable: false, nowMs });
    await end(job.message);
    expect(await world.messages.find(account.ref, job.message)).toMatchObject({ status: 'sending' });
    await endSend(world)({ account: account.ref.id, message: job.message }, nowMs + 900_000);
    expect(await world.messages.find(account.ref, job.message)).toMatchObject({
      status: 'sent',
      sentAt: null,
      failureCode: 'send_unconfirmed',
    });
    expect((await world.accounts.credits(account.ref.id))?.smsMasked).toBe(Number(before) - 1);
  });

  it('applies a report that arrives after the wait for it ended', async () => {
    const { id } = await handedOverText(world, account, { isAnswered: false, atMs: Date.now() - 900_000 });
    await end(id);
    await world.outcomeRecorder.record(account.ref, id, { trigger: 'deliveryConfirmed' }, Date.now());
    expect(await world.messages.find(account.ref, id)).toMatchObject({
      status: 'delivered',
      sentAt: expect.any(String),
      failureCode: null,
      failureReason: null,
    });
  });

  it('ignores a message that was sent, withdrawn or never existed', async () => {
    const sent = await accepted();
    await world.messages.move(account.ref, sent, 'providerAccepted', Date.now());
    const before = await emailCredits();
    await end(sent.id);
    await end(newId(Date.now()));
    await end(sent.id, newId(Date.now()));
    expect(await world.messages.find(account.ref, sent.id)).toMatchObject({ status: 'sent' });
    expect(await emailCredits()).toBe(before);
  });
});
