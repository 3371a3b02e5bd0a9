import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccountSettings } from '../../../shared/accounts/account.ts';
import { checkoutAddresses } from '../../../shared/checkout/addresses.ts';
import { Unavailable } from '../../../shared/kit/fault.ts';
import { newId } from '../../../shared/kit/id.ts';
import { messageEventJob } from '../../../shared/messages/jobs.ts';
import type { Mail } from '../../../shared/messages/mail.ts';
import { noticeJob } from '../../../shared/notices/notice-job.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { answeredPayment } from '../../../test/checkout-fixture.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { jobsFor } from '../../../test/outbox-calls.ts';
import { credentials } from '../../../test/real-checkout.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { automatic, mailsTo } from './inbox-fixture.ts';
import { mailReceipt } from './mail-receipt.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const wanted = { ...newAccountSettings('').checkout, sendsReceipts: true };

const deliver = async (
  { payment }: Awaited<ReturnType<typeof answeredPayment>>,
  changed: object = {},
  other: object = {},
) => {
  const after = await world.table.get(itemKeys.payment(payment.sessionId, payment.id));
  const atMs = Date.parse('2026-11-20T12:00:00Z');
  const change = { before: { ...after, status: 'PENDING' }, after: { ...after, ...changed }, sequence: '1', atMs };
  const send = mailReceipt({
    ...world,
    platformAddress: 'no-reply@platform.example',
    addresses: checkoutAddresses('https://pay.example'),
    clock: Date.now,
    ...other,
  });
  for (const job of await jobsFor('notices', noticeJob, [change])) if (job.kind === 'receipt') await send(job);
};

describe('a receipt', () => {
  it('is mailed to a payer who gave an email, once, in both languages, for a credit', async () => {
    const account = await world.newAccount({ settings: { checkout: wanted } });
    const customer = { email: 'once@example.com' };
    const paid = await answeredPayment(world, account, { state: 'succeeded' }, { customer, invoiceId: 'INV-7' });
    await deliver(paid);
    await deliver(paid);
    const [mail, ...more] = await mailsTo(world, customer.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('[TEST] Receipt for ৳6,000.00');
    expect(mail?.headers).toContainEqual(automatic);
    const shared = ['TEST', 'Two books', 'INV-7', '৳৬,০০০.০০', 'sim_card', paid.payment.id, '20 November 2026'];
    for (const part of [...shared, 'To: Test']) expect(mail?.body.text).toContain(part);
    for (const part of [...shared, '<th scope="row" align="left">To</th><td><bdi>Test</bdi></td>'])
      expect(mail?.body.html).toContain(part);
    expect((await world.accounts.credits(account.ref.id))?.email).toBe(99);
  });

  it('is mailed once by a repeated job when its method could not be read, or the answer of its acceptance was lost', async () => {
    const account = await world.newAccount({ settings: { checkout: wanted } });
    const paidBy = (email: string) => answeredPayment(world, account, { state: 'succeeded' }, { customer: { email } });
    const [unread, unanswered] = [await paidBy('unread@example.com'), await paidBy('unanswered@example.com')];
    const find = async () => {
      throw new Unavailable('an AWS service is unavailable');
    };
    await expect(deliver(unread, {}, { methods: { find } })).rejects.toThrow(Unavailable);
    const stop = world.loseAnswers((call) => call === 'TransactWriteItems', { forGood: true });
    await expect(deliver(unanswered)).rejects.toThrow();
    stop();
    for (const paid of [unread, unanswered, unread, unanswered]) await deliver(paid);
    for (const { session } of [unread, unanswered])
      expect(await mailsTo(world, session.customer.email ?? '')).toHaveLength(1);
    expect((await world.accounts.credits(account.ref.id))?.email).toBe(98);
  });

  it('is mailed once when a second run of its job gets no answer while the first one sends it', async () => {
    const account = await world.newAccount({ settings: { checkout: wanted } });
    const customer = { email: 'meanwhile@example.com' };
    const paid = await answeredPayment(world, account, { state: 'succeeded' }, { customer });
    const send: EmailProvider['send'] = async (mail) => {
      const stop = world.loseAnswers((call) => call === 'TransactWriteItems', { forGood: true });
      await expect(deliver(paid)).rejects.toThrow();
      stop();
      return world.email.send(mail);
    };
    await deliver(paid, {}, { email: { send } });
    await deliver(paid);
    expect(await mailsTo(world, customer.email)).toHaveLength(1);
    expect((await world.accounts.credits(account.ref.id))?.email).toBe(99);
  });

  it.each(['its acceptance gets no answer', 'SES takes no emails'])(
    'is mailed once when its job comes twice and, after the second run has seen that of the first, %s',
    async (trouble) => {
      const account = await world.newAccount({ settings: { checkout: wanted } });
      const customer = { email: `${trouble.length}@example.com` };
      const paid = await answeredPayment(world, account, { state: 'succeeded' }, { customer });
      const runTwice = () => expect(deliver(paid)).rejects.toThrow('another run mails the receipt');
      const isLost = trouble.startsWith('its acceptance');
      const stop = isLost ? world.loseAnswers((call) => call === 'TransactWriteItems', { forGood: true }) : () => {};
      const withdraw: World['messages']['withdraw'] = async (...message) => {
        stop();
        await runTwice();
        return world.messages.withdraw(...message);
      };
      const send: EmailProvider['send'] = async () => ({ kind: 'unavailable', cause: undefined });
      await expect(deliver(paid, {}, { messages: { ...world.messages, withdraw }, email: { send } })).rejects.toThrow();
      for (let n = 0; n < 2; n += 1) await deliver(paid);
      expect(await mailsTo(world, customer.email)).toHaveLength(1);
      expect((await world.accounts.credits(account.ref.id))?.email).toBe(99);
    },
  );

  it('waits for its turn like any email while the sending rate of SES is exceeded, and its job has ended', async () => {
    const account = await world.newAccount({ settings: { checkout: wanted } });
    const paid = await answeredPayment(
      world,
      account,
      { state: 'succeeded' },
      { customer: { email: 'b@example.com' } },
    );
    const send: EmailProvider['send'] = async () => ({ kind: 'unavailable', isBusy: true, retryAfterSeconds: 1 });
    for (let n = 0; n < 2; n += 1) await deliver(paid, {}, { email: { send } });
    const [{ id = '' } = {}] = (await world.messages.list(account.ref, {}, { limit: 10 })).page;
    expect(await world.scheduled.find(account.ref, { id, channel: 'email' })).toMatchObject({
      message: { status: 'queued', isHeld: true },
      mail: { subject: '[TEST] Receipt for ৳6,000.00', isAutomatic: true },
    });
    expect((await world.accounts.credits(account.ref.id))?.email).toBe(99);
  });

  it('is not mailed by a repeated job after it was cancelled while it waited for its turn', async () => {
    const account = await world.newAccount({ settings: { checkout: wanted } });
    const customer = { email: 'cancelled@example.com' };
    const paid = await answeredPayment(world, account, { state: 'succeeded' }, { customer });
    const send: EmailProvider['send'] = async () => ({ kind: 'unavailable', isBusy: true, retryAfterSeconds: 1 });
    await deliver(paid, {}, { email: { send } });
    const [{ id = '' } = {}] = (await world.messages.list(account.ref, {}, { limit: 10 })).page;
    const receipt = (await world.messages.find(account.ref, id)) ?? expect.fail();
    expect(await world.scheduled.cancel(account.ref, receipt, Date.now())).toBe(true);
    await world.scheduled.retire(account.ref, id, Date.now());
    await deliver(paid);
    expect(await mailsTo(world, customer.email)).toEqual([]);
    expect((await world.accounts.credits(account.ref.id))?.email).toBe(100);
  });

  it('is a message of the account as the page on receipts says: listed with its payment, from a contact, with events', async () => {
    const account = await world.newAccount({ settings: { checkout: wanted } });
    const customer = { email: 'listed@example.com' };
    const paid = await answeredPayment(world, account, { state: 'succeeded' }, { customer });
    await deliver(paid);
    const { page } = await world.messages.list(account.ref, {}, { cursor: undefined, limit: 10 });
    expect(page).toMatchObject([
      { to: customer.email, status: 'sent', tags: ['receipt'], contactId: expect.any(String) },
    ]);
    const [{ id = '', metadata } = {}] = page;
    expect(JSON.parse(metadata?.text ?? '')).toEqual({ paymentId: paid.payment.id });
    const after = (await world.table.get(itemKeys.message(account.ref.id, 'email', 0, id))) ?? {};
    const before = { ...after, status: 'sending', sentAt: undefined };
    const changes = [{ before, after, sequence: '1', atMs: Date.now() }];
    expect(await jobsFor('message-events', messageEventJob, changes)).toMatchObject([{ message: id, status: 'sent' }]);
  });

  it('is in the session’s language alone, with its items and the merchant’s looks', async () => {
    const branding = {
      logoUrl: 'https://shop.example/logo.png',
      logoId: '0123456789abcdef0123456789abcdef',
      color: '#ffcc00',
      supportEmail: 'help@shop.example',
      supportPhone: null,
      statementName: 'DHAKA BOOKS',
    };
    const account = await world.newAccount({ settings: { checkout: wanted, branding } });
    const customer = { email: 'items@example.com' };
    const lineItems = [{ name: 'Novel', quantity: 4, unitAmountMinor: 150_000 }];
    await deliver(await answeredPayment(world, account, { state: 'succeeded' }, { customer, lineItems, locale: 'bn' }));
    const [mail] = await mailsTo(world, customer.email);
    expect(mail?.subject).toBe('[TEST] রসিদ: ৳৬,০০০.০০');
    for (const part of ['৪ × Novel: ৳৬,০০০.০০', 'help@shop.example', 'DHAKA BOOKS'])
      expect(mail?.body.text).toContain(part);
    expect(mail?.body.text).not.toContain('You have paid');
    expect(mail?.body.html).toContain(`<img src="https://pay.example/checkout/logos/${branding.logoId}" alt=""`);
    expect(mail?.body.html).toContain('background:#ffcc00');
  });

  it('of a live payment does not say TEST, and names the method as the payer saw it', async () => {
    const account = await world.newAccount({ settings: { checkout: wanted } });
    const customer = { email: 'live@example.com' };
    const [method] = await world.methods.replace(
      account.ref,
      [
        {
          gatewayCode: 'bkash',
          displayLabel: 'bKash',
          livemode: true,
          enabled: true,
          sortOrder: 0,
          credentials: credentials.bkash,
        },
      ],
      newId(Date.now()),
    );
    const session = { customer, livemode: true };
    const paid = await answeredPayment(world, account, { state: 'succeeded' }, session, method?.id);
    await deliver(paid);
    const [mail] = await mailsTo(world, customer.email);
    expect(mail?.subject).toBe('Receipt for ৳6,000.00');
    expect(mail?.body.text).not.toContain('TEST');
    expect(mail?.body.text).toContain('Paid with: bKash');
  });

  it('has no unsubscribe header, because it is transactional', async () => {
    const account = await world.newAccount({ settings: { checkout: wanted } });
    const sent: Mail[] = [];
    const email: EmailProvider = {
      send: async (mail) => {
        sent.push(mail);
        return { kind: 'accepted', providerMessageId: 'p1' };
      },
    };
    const customer = { email: 'plain@example.com' };
    await deliver(await answeredPayment(world, account, { state: 'succeeded' }, { customer }), {}, { email });
    expect(sent).toMatchObject([{ to: customer.email }]);
    expect(sent[0]?.unsubscribeUrl).toBeUndefined();
  });

  it('is not sent when the account disables it, for surplus money, without an address, for a test that anybody can make, or for later changes', async () => {
    const [willing, unwilling] = [await world.newAccount({ settings: { checkout: wanted } }), await world.newAccount()];
    const customer = { email: 'never@example.com' };
    const paid = (account: typeof willing, wishes = {}) =>
      answeredPayment(world, account, { state: 'succeeded' }, { customer, ...wishes });
    await deliver(await paid(unwilling));
    await deliver(await paid(willing), { mark: 'surplus' });
    await deliver(await paid(willing, { customer: {} }));
    await deliver(await paid(willing, { customer: { email: 'no address' } }));
    await deliver(await paid(willing, { createdWith: 'publishable' }));
    expect(await mailsTo(world, customer.email)).toEqual([]);
    expect((await world.accounts.credits(willing.ref.id))?.email).toBe(100);
  });

  it('is left out when there are no credits, with a line that names the account, and the payment stays', async () => {
    const account = await world.newAccount({ settings: { checkout: wanted }, credits: { email: 0 } });
    const customer = { email: 'unfunded@example.com' };
    const change = await answeredPayment(world, account, { state: 'succeeded' }, { customer });
    const lines = await linesOf(() => deliver(change));
    expect(await mailsTo(world, customer.email)).toEqual([]);
    expect(lines.filter(({ outOfCredits }) => outOfCredits)).toMatchObject([
      { level: 'error', accountId: account.ref.id, counter: 'email' },
    ]);
  });
});
