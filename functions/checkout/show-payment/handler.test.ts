import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settlementOfReview } from '../../../shared/checkout/settle-review.ts';
import { newId } from '../../../shared/kit/id.ts';
import { begunPayment } from '../../../test/checkout-fixture.ts';
import { checkSecondsOf, type PageCalls, pageCalls, paymentIn } from '../../../test/page-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let pages: PageCalls;
let nowMs = Date.now();
beforeAll(async () => {
  world = await startWorld();
  pages = pageCalls(world, () => nowMs);
});
afterAll(() => world.close());

const begun = async (amountMinor: number, wishes: object = {}) => {
  const { id, methodIds } = await pages.open({ amountMinor, ...wishes });
  const payment = paymentIn(await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '' }));
  return { id, payment, wait: (query?: Record<string, string>) => pages.wait(id, payment, query) };
};

/** A payment at a real gateway, which has returned its payment URL if there is a `redirectUrl`. */
const atGateway = async (redirectUrl?: string) => {
  nowMs = Date.now();
  const { session, payment } = await begunPayment(world, await world.newAccount(), {}, 'sslcommerz');
  const found = await world.payments.find(session.id, payment.id);
  if (found && redirectUrl) await world.payments.saveOpening(found, { redirectUrl, reference: 'r' });
  return Object.assign((query?: Record<string, string>) => pages.wait(session.id, payment.id, query), { found });
};

describe('GET /checkout/{id}/payments/{paymentId}', () => {
  it('200 waits and checks automatically: soon at first, later less often', async () => {
    const { wait } = await begun(1_002);
    const waited = await wait();
    expect([waited.status, waited.heading, checkSecondsOf(waited)]).toEqual([200, 'Waiting for confirmation', 2]);
    nowMs += 30_000;
    expect(checkSecondsOf(await wait())).toBe(5);
  });

  it('200 stops checking when the payer turns it off, and stays so', async () => {
    const { id, payment, wait } = await begun(1_002);
    const path = `/checkout/${id}/payments/${payment}`;
    expect((await wait()).text).toContain(`href="${path}?returned=1&amp;checks=off"`);
    const quiet = await wait({ returned: '1', checks: 'off' });
    expect(checkSecondsOf(quiet)).toBeUndefined();
    expect(quiet.text).toContain(`href="${path}?returned=1&amp;checks=off">Check now`);
    expect(quiet.text).toContain(`href="?returned=1&amp;checks=off&amp;lang=bn"`);
  });

  it.each([600_000, 1_003])('200 a payment of %i that succeeded leads back to the merchant', async (amountMinor) => {
    const successUrl = 'https://shop.example/thanks?s={CHECKOUT_SESSION_ID}';
    const { id, wait } = await begun(amountMinor, { successUrl });
    const { status, heading, headers, text } = await wait();
    expect([status, heading]).toEqual([200, 'Payment successful']);
    expect(headers['Refresh']).toBe(`0; url=https://shop.example/thanks?s=${id}`);
    expect(text).toContain(`href="https://shop.example/thanks?s=${id}"`);
  });

  it('303 without successUrl to the result page', async () => {
    const { id, wait } = await begun(600_000);
    expect(await wait()).toMatchObject({ status: 303, headers: { Location: `/checkout/${id}/result` } });
  });

  it('a slow payment is waited for, then it is there', async () => {
    const { wait } = await begun(1_004);
    expect((await wait()).heading).toBe('Waiting for confirmation');
    nowMs += 4_000;
    expect((await wait()).status).toBe(303);
  });

  it('303 one that did not succeed leads to the session’s page, which says why', async () => {
    const declined = await begun(1_001);
    expect(await declined.wait()).toMatchObject({ status: 303, headers: { Location: `/checkout/${declined.id}` } });
    const late = await begun(1_002);
    nowMs += 60_000;
    expect(await late.wait()).toMatchObject({ status: 303, headers: { Location: `/checkout/${late.id}` } });
    expect((await pages.show(late.id)).heading).toBe('This payment link has expired');
  });

  it('200 waits until the gateway returns its URL, and redirects there at once', async () => {
    const opening = await (await atGateway())();
    expect([opening.heading, checkSecondsOf(opening)]).toEqual(['Taking you to sslcommerz', 2]);
    const leave = await atGateway('https://gateway.example/pay?a=1&b=2');
    const { status, headers, text } = await leave();
    expect([status, headers['Refresh']]).toEqual([200, '0; url=https://gateway.example/pay?a=1&b=2']);
    expect(text).toContain('href="https://gateway.example/pay?a=1&amp;b=2"');
  });

  it('200 does not redirect a returning payer to the gateway again, and queries the gateway', async () => {
    const asked = pages.paymentsQueue.jobs.length;
    const wait = await atGateway('https://gateway.example/pay');
    const waited = await wait({ returned: '1' });
    expect([waited.heading, checkSecondsOf(waited)]).toEqual(['Waiting for confirmation', 2]);
    expect(waited.headers).not.toHaveProperty('Refresh');
    expect(pages.paymentsQueue.jobs.slice(asked)).toMatchObject([{ kind: 'resolve' }]);
  });

  it('200 does not lead a payer back to the gateway whose confirmation it did not know of: it may have been slow', async () => {
    const wait = await atGateway('https://gateway.example/pay');
    const payment = wait.found?.payment ?? expect.fail('no payment');
    const claim = (await world.payments.claimConfirmation(payment, nowMs)) ?? expect.fail('no claim');
    await world.payments.releaseConfirmation(payment, claim, { isLost: true });
    const waited = await wait();
    expect(waited.heading).toBe('Waiting for confirmation');
    expect(waited.headers).not.toHaveProperty('Refresh');
    expect(waited.text).toContain('<form');
  });

  it('200 does not lead a payer back to the gateway that has reported the payment paid, before and after its proof is awaited', async () => {
    const wait = await atGateway('https://gateway.example/pay');
    await world.payments.noteReportedPaid(wait.found?.payment ?? expect.fail('no payment'), 'B1', nowMs);
    const mayCancel = async () => {
      const waited = await wait();
      expect(waited.heading).toBe('Waiting for confirmation');
      expect(waited.headers).not.toHaveProperty('Refresh');
      return waited.text.includes('<form');
    };
    expect(await mayCancel()).toBe(false);
    nowMs += 60_000;
    expect(await mayCancel()).toBe(true);
  });

  it('200 says that a payment is being checked, without a way to give it up; afterwards it moves on', async () => {
    const { id, methodIds } = await pages.open({ amountMinor: 1_002 }, ['Card']);
    const payment = paymentIn(await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '' }));
    const hold = await world.payments.find(id, payment);
    if (hold) await pages.resolver.applyAnswer(hold, { state: 'succeeded', amountMinor: 1 }, nowMs);
    for (const shown of [await pages.wait(id, payment), await pages.wait(id, payment, { returned: '1' })]) {
      expect([shown.status, shown.heading]).toEqual([200, 'The payment is being checked']);
      expect(shown.text).toContain(`href="/checkout/${id}/payments/${payment}"`);
      expect(shown.text).not.toContain('<form');
      expect(checkSecondsOf(shown)).toBeUndefined();
    }
    const [before] = await pages.attempts(id);
    expect((await pages.cancel(id, payment)).headers['Location']).toContain(payment);
    expect(await pages.attempts(id)).toEqual([before]);
    const held = await world.payments.find(id, payment);
    const facts = held && { ...held, acceptsLatePayments: false, refundId: newId(nowMs), nowMs };
    const review = facts && settlementOfReview(facts, { decision: 'accept', reason: undefined });
    if (review) await world.payments.saveSettlement(held, review);
    expect(await pages.wait(id, payment)).toMatchObject({ headers: { Location: `/checkout/${id}/result` } });
  });

  it('404 for a payment of another session, and for none', async () => {
    const [one, other] = [await begun(1_002), await begun(1_002)];
    for (const [id, payment] of [
      [one.id, other.payment],
      [one.id, newId(nowMs)],
      ['x', 'y'],
    ] as const) {
      expect((await pages.wait(id, payment)).status).toBe(404);
    }
  });
});
