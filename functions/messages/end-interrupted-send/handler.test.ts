import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { type EndJob, endJob } from '../../../shared/messages/jobs.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { sendStore } from '../../../shared/table/messages/send-store.ts';
import { spreadStore } from '../../../shared/table/messages/spread-store.ts';
import { acceptEmail, acceptedText, handedOverText } from '../../../test/accepted-message.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { jobsFor } from '../../../test/outbox-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { endSend } from './end-send-fixture.ts';
import { endInterruptedSend } from './handler.ts';

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

/** The job that follows from the acceptance of a message. */
const watchOf = async (id: string): Promise<EndJob> => {
  const after = (await world.scan()).find(({ SK }) => SK === id);
  const [job] = await jobsFor('interrupted-sends', endJob, [
    { before: undefined, after, sequence: '1', atMs: Date.now() },
  ]);
  return job ?? expect.fail('nothing watches the message');
};

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

  it('reads only the rows of large messages that were sent, all with one call', async () => {
    const metadata = JsonText.of({ note: 'x'.repeat(9_000) });
    const mails = Array.from({ length: 3 }, () =>
      newEmail({ channel: 'email', to: 'ada@example.com', metadata }, newId(Date.now())),
    );
    for (const message of mails) {
      await acceptEmail(world, account.ref, message);
      await world.messages.move(account.ref, message, 'providerAccepted', Date.now());
    }
    const jobs = mails.map(({ id: message }) => ({ account: account.ref.id, message, channel: 'email' as const }));
    await end(jobs[0]?.message ?? '');
    const { calls } = await countConsumption(world.calls).of(() =>
      endInterruptedSend(world, Date.now)(jobs, (_, work) => work()),
    );
    expect(calls).toBe(1);
  });

  it('deletes what a send stored beside a message that it did not accept, and keeps what a message has', async () => {
    const own = await world.newAccount();
    const metadata = JsonText.of({ note: 'x'.repeat(1_000) });
    const large = () => newEmail({ channel: 'email', to: 'ada@example.com', metadata }, newId(Date.now()));
    const bodies = async () =>
      (await world.scan()).filter((item) => item['entity'] === 'message-body' && item['account'] === own.ref.id);
    const cutOff = { ...world.table, transact: () => Promise.reject(new Error('cut off')) };
    const [accepted, other] = [large(), large()];
    await acceptEmail(world, own.ref, accepted);
    for (const message of [accepted, other])
      await expect(
        acceptEmail({ ...world, sends: sendStore(cutOff, world.vault, spreadStore(world.table)) }, own.ref, message),
      ).rejects.toThrow('cut off');
    const written = await bodies();
    expect(written).toHaveLength(3);
    for (const { message, channel, SK } of written)
      await endSend(world)(endJob.parse({ kind: 'body', account: own.ref.id, message, channel, body: SK }), Date.now());
    expect((await bodies()).map(({ message }) => message)).toEqual([accepted.id]);
    expect(await world.messages.find(own.ref, accepted.id)).toMatchObject({ status: 'sending', metadata });
  });

  it('leaves an email alone that its repeated request sends now, when the watch of the first request comes', async () => {
    const message = await accepted();
    const watch = await watchOf(message.id);
    await world.messages.withdraw(account.ref, message);
    await acceptEmail(world, account.ref, message);
    await endSend(world)(watch, Date.now());
    expect(await world.messages.find(account.ref, message.id)).toMatchObject({ status: 'sending' });
    await endSend(world)(await watchOf(message.id), Date.now());
    expect(await world.messages.find(account.ref, message.id)).toMatchObject({ status: 'failed' });
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
