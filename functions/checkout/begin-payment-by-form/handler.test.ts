import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { asPerson, type PageCalls, pageCalls, paymentIn } from '../../../test/page-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let pages: PageCalls;
beforeAll(async () => {
  world = await startWorld();
  pages = pageCalls(world);
});
afterAll(() => world.close());

const begun = '0';

describe('POST /checkout/{id}/pay', () => {
  it('303 begins a payment and leads to where it is waited for, by path alone', async () => {
    const { id, methodIds } = await pages.open({ amountMinor: 1_002 });
    const answer = await pages.tap(id, { acceptanceMethodId: methodIds[1] ?? '', begun });
    expect(answer.status).toBe(303);
    expect(answer.headers['Location']).toBe(`/checkout/${id}/payments/${paymentIn(answer)}`);
    expect(await pages.attempts(id)).toMatchObject([{ id: paymentIn(answer), acceptanceMethodId: methodIds[1] }]);
  });

  it('303 two taps, sequential or concurrent, begin one payment, with any outcome', async () => {
    for (const amountMinor of [600_000, 1_001, 1_002, 1_003]) {
      const { id, methodIds } = await pages.open({ amountMinor });
      const tap = () => pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '', begun });
      const answers = await Promise.all(Array.from({ length: 5 }, tap));
      answers.push(await tap());
      const [payment, ...others] = await pages.attempts(id);
      expect(others).toEqual([]);
      expect(new Set(answers.map(paymentIn))).toEqual(new Set([payment?.id]));
    }
  });

  it('303 a tap on the page after a decline begins another payment', async () => {
    const { id, methodIds } = await pages.open({ amountMinor: 1_001 });
    const first = await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '', begun });
    const next = /name="begun" value="(\d+)"/.exec((await pages.show(id)).text)?.[1] ?? '';
    const second = await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '', begun: next });
    expect((await pages.attempts(id)).map((attempt) => attempt.id)).toEqual([paymentIn(first), paymentIn(second)]);
  });

  it('303 back to the page while another method is under way, and where there is nothing to begin', async () => {
    const { id, methodIds } = await pages.open({ amountMinor: 1_002 });
    const back = { status: 303, headers: { Location: `/checkout/${id}` } };
    await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '', begun });
    for (const form of [{ begun }, { begun: '1' }, { begun: 'x' }] as Record<string, string>[]) {
      expect(await pages.tap(id, { acceptanceMethodId: methodIds[1] ?? '', ...form })).toMatchObject(back);
    }
    expect(await pages.attempts(id)).toHaveLength(1);
  });

  it('303 back to the page when the chosen method is unknown, or cannot be decoded', async () => {
    const { id } = await pages.open();
    const undecodable = ['acceptanceMethodId=%ff&begun=0', Buffer.from('acceptanceMethodId=\xff&begun=0', 'latin1')];
    for (const form of [{ acceptanceMethodId: newId(Date.now()), begun }, ...undecodable]) {
      const { status, headers } = await pages.tap(id, form);
      expect([status, headers['Location']]).toEqual([303, `/checkout/${id}?problem=unavailable`]);
    }
    expect(await pages.attempts(id)).toEqual([]);
  });

  it('303 back to the page, which says so, when the chosen method was disabled meanwhile', async () => {
    const { ref, id, methodIds } = await pages.open();
    const [card, wallet] = await world.methods.list(ref);
    if (!card || !wallet) throw new Error('an account without methods');
    await world.methods.replace(ref, [card, { ...wallet, enabled: false }], newId(Date.now()));
    const { headers } = await pages.tap(id, { acceptanceMethodId: methodIds[1] ?? '', begun });
    const { search, pathname } = new URL(headers['Location'] ?? '', 'https://pay.example');
    expect(pathname).toBe(`/checkout/${id}`);
    // Card is the only one now, and this payer has chosen another: so they are asked.
    const { text } = await pages.show(id, { query: search.slice(1), headers: asPerson });
    expect(text).toContain('This payment method is no longer available.');
    expect(text).toContain('?problem=unavailable&amp;lang=bn');
    expect(await pages.attempts(id)).toEqual([]);
  });

  it('303 back to the page of a session that is paid', async () => {
    const { id, methodIds } = await pages.open();
    await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '', begun });
    const late = await pages.tap(id, { acceptanceMethodId: methodIds[0] ?? '', begun: '1' });
    expect(late.headers['Location']).toBe(`/checkout/${id}`);
    expect(await pages.attempts(id)).toHaveLength(1);
  });

  it('404 for an unknown session', async () => {
    expect(await pages.tap(newId(Date.now()), { begun })).toMatchObject({
      status: 404,
      heading: 'This payment does not exist',
    });
  });
});
