import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { acceptEmail } from '../../../shared/messages/accept.ts';
import { acceptedText } from '../../../test/accepted-text.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { settleInterruptedSend } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const accepted = async () => {
  const message = acceptEmail({ channel: 'email', to: 'ada@example.com' }, newId(Date.now()));
  const { holder } = await world.sends.prepare(account.ref, { email: 'ada@example.com' });
  await world.sends.accept(account.ref, message, { email: 'ada@example.com' }, holder);
  return message;
};
const settle = (message: string, id = account.ref.id) =>
  settleInterruptedSend(world)({ account: id, message }, Date.now());
const emailCredits = async () => (await world.accounts.credits(account.ref.id))?.email;

describe('settling interrupted sends', () => {
  it('ends a message that is still sending and gives its credit back, once', async () => {
    const before = await emailCredits();
    const { id } = await accepted();
    await Promise.all([settle(id), settle(id), settle(id)]);
    expect(await world.messages.find(account.ref, id)).toMatchObject({
      status: 'failed',
      failureCode: 'send_interrupted',
    });
    expect(await emailCredits()).toBe(before);
  });

  it('ends a text of which no report came, unless a worker is at it again', async () => {
    const before = (await world.accounts.credits(account.ref.id))?.smsMasked;
    const job = await acceptedText(world, account);
    const nowMs = Date.now();
    await world.textSends.pickUp(account.ref, job, { isRepeatable: false, nowMs });
    await settle(job.message);
    expect(await world.messages.find(account.ref, job.message)).toMatchObject({ status: 'sending' });
    await settleInterruptedSend(world)(job, nowMs + 900_000);
    expect(await world.messages.find(account.ref, job.message)).toMatchObject({
      status: 'failed',
      failureCode: 'send_interrupted',
    });
    expect((await world.accounts.credits(account.ref.id))?.smsMasked).toBe(before);
  });

  it('leaves a message alone that was sent, withdrawn or never there', async () => {
    const sent = await accepted();
    await world.messages.move(account.ref, sent, 'providerAccepted', Date.now());
    const before = await emailCredits();
    await settle(sent.id);
    await settle(newId(Date.now()));
    await settle(sent.id, newId(Date.now()));
    expect(await world.messages.find(account.ref, sent.id)).toMatchObject({ status: 'sent' });
    expect(await emailCredits()).toBe(before);
  });
});
