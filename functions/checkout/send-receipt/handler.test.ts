import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccountSettings } from '../../../shared/accounts/account.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { answeredPayment } from '../../../test/checkout-fixture.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { sendReceipt } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const wanted = { ...newAccountSettings('').checkout, sendsReceipts: true };

/** What lies in the inbox for this address. */
const mailsTo = async (address: string) => {
  const { emails } = (await (await fetch(`${world.ses.url}/store`)).json()) as {
    emails: { subject: string; destination: { to: string[] }; body: { text: string } }[];
  };
  return emails.filter(({ destination }) => destination.to.includes(address));
};

const told = async ({ payment }: Awaited<ReturnType<typeof answeredPayment>>, change: object = {}) => {
  const after = await world.table.get(itemKeys.payment(payment.sessionId, payment.id));
  const atMs = Date.parse('2026-11-20T12:00:00Z');
  const told = { before: { ...after, status: 'PENDING' }, after: { ...after, ...change }, sequence: '1', atMs };
  await sendReceipt({ ...world, platformAddress: 'no-reply@platform.example', clock: Date.now })([told]);
};

describe('a receipt', () => {
  it('is mailed to a payer who gave an email, once, in both languages, for a credit', async () => {
    const account = await world.newAccount({ settings: { checkout: wanted } });
    const customer = { email: 'once@example.com' };
    const paid = await answeredPayment(world, account, { state: 'succeeded' }, { customer, invoiceId: 'INV-7' });
    await told(paid);
    await told(paid);
    const [mail, ...more] = await mailsTo(customer.email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Receipt for ৳6,000.00');
    for (const part of ['Two books', 'INV-7', 'To: Test', '৬,০০০.০০', paid.payment.id, '20 November 2026'])
      expect(mail?.body.text).toContain(part);
    expect((await world.accounts.credits(account.ref.id))?.email).toBe(99);
  });

  it('is not mailed unless the account wants it, for surplus money, without an address, or again for what changes later', async () => {
    const [willing, unwilling] = [await world.newAccount({ settings: { checkout: wanted } }), await world.newAccount()];
    const customer = { email: 'never@example.com' };
    const paid = (account: typeof willing, wishes = {}) =>
      answeredPayment(world, account, { state: 'succeeded' }, { customer, ...wishes });
    await told(await paid(unwilling));
    await told(await paid(willing), { mark: 'surplus' });
    await told(await paid(willing, { customer: {} }));
    await told(await paid(willing, { customer: { email: 'no address' } }));
    expect(await mailsTo(customer.email)).toEqual([]);
    expect((await world.accounts.credits(willing.ref.id))?.email).toBe(100);
  });

  it('is left out when there are no credits, and the payment stays', async () => {
    const account = await world.newAccount({ settings: { checkout: wanted }, credits: { email: 0 } });
    const customer = { email: 'unfunded@example.com' };
    await told(await answeredPayment(world, account, { state: 'succeeded' }, { customer }));
    expect(await mailsTo(customer.email)).toEqual([]);
  });
});
