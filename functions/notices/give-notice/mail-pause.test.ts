import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, timeOfId } from '../../../shared/kit/id.ts';
import type { Mail, MailOutcome } from '../../../shared/messages/mail.ts';
import { noticeJob } from '../../../shared/notices/notice-job.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';
import { jobsFor } from '../../../test/outbox-calls.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { mailPause } from './mail-pause.ts';

let world: World;
let calls: WebhookCalls;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
});
afterAll(() => world.close());

/** Attempts of a delivery take up to three hours. */
const settings = { waits: [7_200], baseUrl: 'https://api.example.com' };

/** As the stream dates its records. */
const nowInSeconds = () => Math.floor(Date.now() / 1_000) * 1_000;

/** A subscription of an account with these admins, and the stream’s change when it becomes active or paused. */
const subscription = async (adminEmails: string[] = ['ops@example.com', 'cto@example.com']) => {
  const account = await world.newAccount({ settings: { adminEmails } });
  const { id } = await calls.subscribe(account, { url: 'https://example.com/a' });
  // The first release stored such names.
  await world.webhooks.change(account.ref, id, { name: 'Orders\r\nBcc: x@example.com' }, Date.now());
  const read = () => world.table.get(itemKeys.webhook(account.ref.id, id));
  return {
    account,
    id,
    /** What the service does when all deliveries have failed for long. */
    failSince: async (since: string): Promise<Change> => {
      const before = await read();
      await calls.pauseFailing(account, id, since);
      return { before, after: await read(), sequence: '1', atMs: nowInSeconds() };
    },
    become: async (isActive: boolean): Promise<Change> => {
      const before = await read();
      await world.webhooks.change(account.ref, id, { isActive }, Date.now());
      return { before, after: await read(), sequence: '1', atMs: nowInSeconds() };
    },
  };
};

const notifyAll = async (changes: readonly Change[], notifyOne: ReturnType<typeof mailPause>): Promise<void> => {
  for (const job of await jobsFor('notices', noticeJob, changes)) if (job.kind === 'pause') await notifyOne(job);
};

const notify = async (changes: readonly Change[], outcome: MailOutcome = { kind: 'accepted' }): Promise<Mail[]> => {
  const mails: Mail[] = [];
  const email = {
    send: async (mail: Mail) => {
      mails.push(mail);
      return outcome;
    },
  };
  await notifyAll(changes, mailPause({ ...world, ...settings, email }));
  return mails;
};

describe('a pause notice', () => {
  it('writes to every admin, in plain text, from the platform, with nothing of the customer’s in a header', async () => {
    const { id, account, become } = await subscription();
    const mails = await notify([await become(false)]);
    expect(mails.map(({ to }) => to)).toEqual(['ops@example.com', 'cto@example.com']);
    for (const mail of mails) {
      expect(mail).toMatchObject({
        from: { address: 'sign-in@platform.example' },
        subject: 'A webhook was paused',
        html: undefined,
        isAutomatic: true,
        accountId: account.ref.id,
      });
      expect(mail.text).toContain('At api.example.com, a webhook of ');
      expect(mail.text).toContain('https://example.com\n');
      expect(mail.text).toContain(`https://api.example.com/dashboard/${account.ref.id}/webhooks/${id}\n`);
    }
  });

  it('quotes the names of webhook and account, and has of its URL only the host, because the rest may be a secret', async () => {
    const { account, id, become } = await subscription(['anybody@example.org']);
    const noticeAfter = async (changes: { readonly name: string; readonly url?: string }): Promise<string> => {
      await world.webhooks.change(account.ref, id, changes, Date.now());
      const [mail] = await notify([await become(false)]);
      return mail?.text ?? '';
    };
    const url = 'https://user:secret@hooks.example.com/services/secret?token=secret';
    const text = await noticeAfter({ name: 'Orders" is fine.\nYour account is locked', url });
    expect(text).toContain('the webhook “Orders is fine. Your account is locked” of the account “');
    expect(text).toContain('no events are delivered to:\n\n  https://hooks.example.com\n');
    expect(text).not.toContain('secret@');
    expect(text).not.toContain('services');
    expect(await noticeAfter({ name: 'Sign in again at evil.example' })).not.toContain('evil');
  });

  it('writes once to an admin whom the account has named several times, in other letter case too', async () => {
    const { become } = await subscription(['ops@example.com', 'cto@example.com', 'OPS@example.com']);
    const mails = await notify([await become(false)]);
    expect(mails.map(({ to }) => to.toLowerCase())).toEqual(['ops@example.com', 'cto@example.com']);
  });

  it('writes to all admins side by side, so that none waits for the turns of the others at SES', async () => {
    const { become } = await subscription();
    const changes = [await become(false)];
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const email = {
      send: async (): Promise<MailOutcome> => {
        begun += 1;
        if (begun === 2) both.resolve();
        await both.promise;
        return { kind: 'accepted' };
      },
    };
    await notifyAll(changes, mailPause({ ...world, ...settings, email }));
    expect(begun).toBe(2);
  });

  it('says since when all deliveries have failed, and how to resume and to replay from then', async () => {
    const { id, failSince } = await subscription(['ops@example.com']);
    const since = '2026-11-15T12:00:00.000Z';
    const [mail] = await notify([await failSince(since)]);
    expect(mail?.text).toContain(`is paused, because all its deliveries have failed since ${since}.`);
    expect(mail?.text).toContain(`PATCH /api/v1/webhooks/${id} with {"isActive": true}`);
    expect(mail?.text).toContain(`POST /api/v1/webhooks/${id}/replay with {"since": "${since}"}`);
  });

  it('of a pause by hand names a start of a replay that is before what was not delivered, and no failures', async () => {
    const { account, id, become } = await subscription(['ops@example.com']);
    const change = await become(false);
    const minuteBefore = new Date(change.atMs - 60_000).toISOString();
    // The mail may have to wait, and the subscription is changed meanwhile.
    await world.webhooks.change(account.ref, id, { name: 'Mended' }, Date.now() + 3_600_000);
    const [mail] = await notify([change]);
    expect(mail?.text).toContain(`{"since": "${minuteBefore}"}`);
    expect(mail?.text).not.toContain('failed since');
  });

  it('of a pause by hand names the first event whose delivery it cancelled as the start of a replay', async () => {
    const { account, become } = await subscription(['ops@example.com']);
    const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
    const [[done], [failing]] = [
      await calls.begin(account, { atMs: hoursAgo(3) }),
      await calls.begin(account, { atMs: hoursAgo(2) }),
    ];
    if (done) await calls.record(done, { statusCode: 200 });
    if (failing) await calls.record(failing, { statusCode: 500 });
    const [mail] = await notify([await become(false)]);
    const since = new Date(timeOfId(failing?.delivery ?? expect.fail())).toISOString();
    expect(mail?.text).toContain(`{"since": "${since}"}`);
  });

  it('of a pause by hand names an event whose delivery has waited for hours behind a target that hangs', async () => {
    const { account, id, become } = await subscription(['ops@example.com']);
    const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
    await world.table.update({
      Key: itemKeys.deliveryLeases(id),
      UpdateExpression: 'SET lastSentAt = :at',
      ExpressionAttributeValues: { ':at': new Date(hoursAgo(9)).toISOString() },
    });
    const [waiting = expect.fail()] = await calls.begin(account, { atMs: hoursAgo(8) });
    const [mail] = await notify([await become(false)]);
    expect(mail?.text).toContain(`{"since": "${new Date(timeOfId(waiting.delivery)).toISOString()}"}`);
  });

  it('writes to the owners of an account that has named no admins', async () => {
    const { account, become } = await subscription([]);
    for (const role of ['owner', 'developer'] as const) {
      const member = { id: newId(Date.now()), email: `${role}@example.com`, role, invitedBy: 'operator' };
      await world.members.add(account.ref.id, member, { dataKeys: world.dataKeys });
    }
    expect((await notify([await become(false)])).map(({ to }) => to)).toEqual(['owner@example.com']);
  });

  it('is a mail to the recipient that says that a webhook was paused', async () => {
    const { become } = await subscription(['inbox@example.com']);
    const notifyOne = mailPause({ ...world, ...settings });
    await notifyAll([await become(false)], notifyOne);
    const inbox = await (await fetch(`${world.ses.url}/store`)).text();
    expect(inbox).toContain('inbox@example.com');
    expect(inbox).toContain('A webhook was paused');
  });

  it('is sent for no other change', async () => {
    const { id, account, become } = await subscription();
    const paused = await become(false);
    const pausedAgain = await become(false);
    const resumed = await become(true);
    await world.webhooks.remove(account.ref, id);
    const gone = { before: resumed.after, after: undefined, sequence: '2', atMs: 0 };
    expect(await notify([pausedAgain, resumed, gone])).toEqual([]);
    expect(await notify([paused])).toEqual([]);
    const nobody = await subscription([]);
    expect(await notify([await nobody.become(false)])).toEqual([]);
  });

  it('that comes late is not sent of a subscription that was resumed meanwhile', async () => {
    const { failSince, become } = await subscription();
    const paused = await failSince('2026-11-15T12:00:00.000Z');
    await become(true);
    expect(await notify([paused])).toEqual([]);
  });

  it('of a pause by hand is not sent to the admins of a frozen account', async () => {
    const { account, become } = await subscription();
    const change = await become(false);
    const before = (await world.accounts.find(account.ref.id)) ?? expect.fail();
    await world.accounts.save(before, { ...before, status: 'frozen' }, Date.now());
    expect(await notify([change])).toEqual([]);
  });

  it('of a pause by hand is sent 20 times a day, and always when the service pauses', async () => {
    const byHand = await (await subscription(['ops@example.com'])).become(false);
    expect(await notify(Array.from({ length: 30 }, () => byHand))).toHaveLength(20);
    expect(await notify([{ ...byHand, atMs: byHand.atMs + 86_400_000 }])).toHaveLength(1);
    const failing = await subscription(['ops@example.com']);
    const automatic = await failing.failSince('2026-11-15T12:00:00.000Z');
    await world.rates.count(`pauses ${failing.account.ref.id}`, automatic.atMs, { calls: 20, windowMinutes: 24 * 60 });
    expect(await notify([automatic])).toHaveLength(1);
  });

  it('fails when the mail cannot be sent now, so that its job comes back, and not when it never can', async () => {
    const { become } = await subscription();
    const change = await become(false);
    for (let tries = 0; tries < 21; tries += 1)
      await expect(notify([change], { kind: 'unavailable' })).rejects.toThrow('unavailable');
    expect(await notify([change], { kind: 'refused', code: 'MessageRejected', reason: 'no' })).toHaveLength(2);
    expect(await notify([change], { kind: 'unknown' })).toHaveLength(2);
  });
});
