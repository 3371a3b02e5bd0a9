import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settlementOfReview } from '../../../shared/checkout/settle-review.ts';
import { newId } from '../../../shared/kit/id.ts';
import { asPerson, type PageCalls, pageCalls, paymentIn } from '../../../test/page-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

const returnUrls = { successUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };

let world: World;
let pages: PageCalls;
let nowMs = Date.parse('2026-11-20T12:00:00Z');
beforeAll(async () => {
  world = await startWorld();
  pages = pageCalls(world, () => nowMs);
});
afterAll(() => world.close());

const open = (id: string) => pages.show(id, { headers: asPerson });

describe('GET /checkout/{id}', () => {
  it('200 shows who is paid, how much, what for, and every way to pay', async () => {
    const { id, methodIds } = await pages.open(returnUrls);
    const { status, text } = await pages.show(id);
    expect(status).toBe(200);
    for (const shown of ['Dhaka Books', '৳6,000.00', 'Order 1042', 'Test mode', 'href="https://shop.example/cart"']) {
      expect(text).toContain(shown);
    }
    expect(
      [...text.matchAll(/<input type="radio" name="acceptanceMethodId" value="([^"]+)"/g)].map(([, value]) => value),
    ).toEqual(methodIds);
    expect(await pages.attempts(id)).toEqual([]);
  });

  it('200 speaks Bangla to those who want it', async () => {
    const { id } = await pages.open();
    const { text } = await pages.show(id, { headers: { 'accept-language': 'bn-BD,bn;q=0.9,en;q=0.8' } });
    expect(text).toContain('<html lang="bn"');
    expect(text).toContain('৳৬,০০০.০০');
    expect((await pages.show(id, { query: { lang: 'en' } })).text).toContain('<html lang="en"');
  });

  it('200 speaks the session’s language, unless the payer chooses the other one', async () => {
    const { id } = await pages.open({ locale: 'bn' });
    expect((await pages.show(id)).text).toContain('<html lang="bn"');
    expect((await pages.show(id, { query: { lang: 'en' } })).text).toContain('<html lang="en"');
    expect((await pages.show(id, { cookies: ['lang=en'] })).text).toContain('<html lang="en"');
  });

  it('303 begins the payment at once for a person where there is one way to pay; tapping twice begins one', async () => {
    const { id } = await pages.open({ amountMinor: 1_002 }, ['Card']);
    const [first, second] = [await open(id), await open(id)];
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(first.headers['Location']).toBe(second.headers['Location']);
    expect((await pages.attempts(id)).map((attempt) => attempt.id)).toEqual([paymentIn(first)]);
  });

  it('200 offers no way to pay and begins no payment once the account is frozen', async () => {
    const { ref, id } = await pages.open({}, ['Card']);
    await pages.freeze(ref);
    const { status, heading, text } = await open(id);
    expect([status, heading]).toEqual([200, 'You cannot pay right now']);
    expect(text).not.toContain('simulated method');
    expect(await pages.attempts(id)).toEqual([]);
  });

  it('303 five at the same time begin one payment', async () => {
    for (const amountMinor of [600_000, 1_001, 1_002]) {
      const { id } = await pages.open({ amountMinor }, ['Card']);
      await Promise.all(Array.from({ length: 5 }, () => open(id)));
      expect(await pages.attempts(id)).toHaveLength(1);
    }
  });

  it.each([{}, { 'sec-fetch-mode': 'cors' }, { 'sec-fetch-dest': 'document' }])(
    '303 also where a browser does not say that a person acted: %o',
    async (headers) => {
      const { id } = await pages.open({}, ['Card']);
      const { status, headers: answered } = await pages.show(id, { headers });
      expect([status, answered['Location']]).toEqual([303, expect.stringContaining(`/checkout/${id}/payments/`)]);
    },
  );

  it.each([
    { ...asPerson, 'sec-purpose': 'prefetch' },
    { ...asPerson, 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' },
    { ...asPerson, 'user-agent': 'WhatsApp/2.23.20.0' },
    { ...asPerson, 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
  ])('200 begins nothing for a preview, a prefetch or a script, and shows the one button: %o', async (headers) => {
    const { id, methodIds } = await pages.open({}, ['Card']);
    const { status, heading, text } = await pages.show(id, { headers });
    expect([status, heading]).toEqual([200, 'Amount to pay ৳6,000.00']);
    expect(text).toContain(`name="acceptanceMethodId" value="${methodIds[0]}"`);
    expect(await pages.attempts(id)).toEqual([]);
  });

  it('200 begins nothing when only the headers are asked for', async () => {
    const { id } = await pages.open({}, ['Card']);
    expect((await pages.show(id, { headers: asPerson, method: 'HEAD' })).status).toBe(200);
    expect(await pages.attempts(id)).toEqual([]);
  });

  it('200 says that a payment is in progress: to continue, or to cancel', async () => {
    for (const labels of [['Card'], ['Card', 'Wallet']]) {
      const { id, methodIds } = await pages.open({ amountMinor: 1_002 }, labels);
      const payment = paymentIn(await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '' }));
      nowMs += 20_000;
      const { status, heading, text } = await pages.show(id);
      expect([status, heading]).toEqual([200, 'A payment is in progress']);
      expect(text).toContain(`href="/checkout/${id}/payments/${payment}"`);
      expect(text).toContain(`action="/checkout/${id}/payments/${payment}/cancel"`);
      expect(text).toContain('Card');
    }
  });

  it('200 says that a payment is being checked, also after the time to pay, and offers what comes next once it has been', async () => {
    const { id, methodIds } = await pages.open({ amountMinor: 1_002, ...returnUrls });
    const payment = paymentIn(await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '' }));
    const begun = await world.payments.find(id, payment);
    if (begun) await pages.resolver.applyAnswer(begun, { state: 'succeeded', amountMinor: 1 }, nowMs);
    const heldAt = async () => {
      const { heading, text } = await pages.show(id);
      expect(heading).toBe('The payment is being checked');
      expect(text).not.toContain('<form');
    };
    await heldAt();
    const startMs = nowMs;
    nowMs += 2 * 86_400_000;
    await heldAt();
    nowMs = startMs;
    const held = await world.payments.find(id, payment);
    const facts = held && { ...held, acceptsLatePayments: false, refundId: newId(nowMs), nowMs };
    const review = facts && settlementOfReview(facts, { decision: 'refund', reason: undefined });
    if (review) await world.payments.saveSettlement(held, review);
    const { heading, text } = await pages.show(id);
    expect(heading).toBe('The payment was not accepted');
    expect(text).toMatch(/refunded automatically[\s\S]*name="acceptanceMethodId"/);
  });

  it('200 after a review that found no money: names no bank or wallet as the one that declined', async () => {
    const { id, methodIds } = await pages.open({ amountMinor: 1_002 });
    const payment = paymentIn(await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '' }));
    const begun = await world.payments.find(id, payment);
    if (begun) await pages.resolver.applyAnswer(begun, { state: 'succeeded', amountMinor: 1 }, nowMs);
    const held = (await world.payments.find(id, payment)) ?? expect.fail();
    const facts = { ...held, acceptsLatePayments: false, refundId: newId(nowMs), nowMs };
    const rejection = settlementOfReview(facts, { decision: 'reject', reason: undefined }) ?? expect.fail();
    await world.payments.saveSettlement(held, rejection);
    const { heading, text } = await pages.show(id);
    expect(heading).toBe('The payment was not accepted');
    expect(text).toMatch(/If you were charged after all[\s\S]*You can pay again[\s\S]*name="acceptanceMethodId"/);
    expect(text).not.toContain('your bank or wallet');
  });

  it('200 after a decline: says so, and offers to try again, also where there is one way to pay', async () => {
    for (const labels of [['Card'], ['Card', 'Wallet']]) {
      const { id, methodIds } = await pages.open({ amountMinor: 1_001 }, labels);
      await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '' });
      const { status, heading, text } = await pages.show(id);
      expect([status, heading]).toEqual([200, 'The payment was declined']);
      expect(text).toMatch(
        /Test payments of this amount are always declined[\s\S]*Try again[\s\S]*name="acceptanceMethodId"/,
      );
    }
  });

  it('200 after the tenth attempt: says that there are no more', async () => {
    const { id, methodIds } = await pages.open({ amountMinor: 1_001 });
    for (let n = 0; n < 10; n += 1) await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '', begun: String(n) });
    const { heading, text } = await pages.show(id);
    expect(heading).toBe('Too many attempts');
    expect(text).not.toContain('name="acceptanceMethodId"');
  });

  it('200 shows a problem to a payer who has chosen no way to pay, and begins nothing', async () => {
    const { id } = await pages.open();
    const { status, headers } = await pages.tap(id, { begun: '0' });
    expect([status, headers['Location']]).toEqual([303, `/checkout/${id}?problem=choose`]);
    const { text } = await pages.show(id, { query: { problem: 'choose' } });
    expect(text).toMatch(/<title>There is a problem: [\s\S]*role="alert"[\s\S]*href="#first"[\s\S]*id="first"/);
    expect((await pages.show(id, { query: { problem: 'x' } })).text).not.toContain('role="alert"');
    expect(await pages.attempts(id)).toEqual([]);
  });

  it('200 says until when it is open in the last hour only', async () => {
    const { id } = await pages.open();
    expect((await pages.show(id)).text).not.toContain('You can pay here until');
    nowMs += 86_400_000 - 3_600_000;
    expect((await pages.show(id)).text).toMatch(/You can pay here until \d+:\d\d [ap]m, Bangladesh time\./);
  });

  it('200 calls the ways to pay by their names in Bangla, where they have one', async () => {
    const { ref, id } = await pages.open({ amountMinor: 1_002 });
    const [card, wallet] = await world.methods.list(ref);
    if (!card || !wallet) throw new Error('an account without methods');
    await world.methods.replace(ref, [{ ...card, displayLabelBn: 'কার্ড' }, wallet], newId(nowMs));
    const labelsIn = async (lang: string) =>
      [...(await pages.show(id, { query: { lang } })).text.matchAll(/<bdi>([^<]+)<\/bdi><\/span>/g)].map(
        ([, label]) => label,
      );
    expect([await labelsIn('en'), await labelsIn('bn')]).toEqual([
      ['Card', 'Wallet'],
      ['কার্ড', 'Wallet'],
    ]);
  });

  it('200 says where a gateway cannot be reached, and that the payer has not been charged', async () => {
    const { id, methodIds } = await pages.open({ amountMinor: 1_002 });
    const payment = paymentIn(await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '' }));
    const found = await world.payments.find(id, payment);
    if (found) await pages.resolver.applyAnswer(found, { state: 'failed', code: 'gateway_unavailable' }, nowMs);
    expect((await pages.show(id)).heading).toBe('Card cannot be reached');
  });

  it('200 shows of a completed session what was paid, and takes nothing more', async () => {
    const { id, methodIds } = await pages.open(returnUrls);
    const payment = paymentIn(await pages.tap(id, { acceptanceMethodId: methodIds[1] ?? '' }));
    const { heading, text } = await pages.show(id);
    expect(heading).toBe('This has already been paid');
    for (const shown of ['Wallet', payment, '৳6,000.00', 'href="https://shop.example/thanks"']) {
      expect(text).toContain(shown);
    }
    expect(text).not.toContain('<form');
  });

  it('200 shows the expiry, from its exact second', async () => {
    const { id } = await pages.open(returnUrls);
    nowMs += 86_400_000 - 1;
    expect((await pages.show(id)).heading).toBe('Amount to pay ৳6,000.00');
    nowMs += 1;
    const { heading, text } = await pages.show(id);
    expect(heading).toBe('This payment link has expired');
    expect(text).toContain('href="https://shop.example/cart"');
    expect(text).not.toContain('<form');
  });

  it('200 shows that no method accepts the amount', async () => {
    const { id } = await pages.open({}, []);
    const { heading, text } = await pages.show(id);
    expect(heading).toBe('You cannot pay right now');
    expect(text).toContain('simulated method');
  });

  it('404 shows the same page for an unknown id and for one that nothing can have', async () => {
    const [unknown, malformed] = [await pages.show(newId(nowMs)), await pages.show('x')];
    expect([unknown.status, unknown.heading]).toEqual([404, 'This payment does not exist']);
    expect(malformed).toEqual(unknown);
  });

  it('never shows the merchant’s private data', async () => {
    const { id } = await pages.open({ metadata: { note: 'SECRET-A' }, customer: { email: 'secret-b@example.com' } });
    expect((await pages.show(id)).text).not.toMatch(/secret/i);
  });
});
