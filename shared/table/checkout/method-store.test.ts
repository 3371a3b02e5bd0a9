import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import type { MethodWish } from '../../checkout/methods.ts';
import { newId } from '../../kit/id.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const credentials = { storeId: 'shop-0815', storePassword: 'pa55word' };
const cards: MethodWish = {
  gatewayCode: 'sslcommerz',
  displayLabel: 'Visa, Mastercard',
  livemode: true,
  enabled: true,
  sortOrder: 1,
  credentials,
};
const { credentials: _, ...cardsAgain } = cards;
const card: MethodWish = {
  gatewayCode: 'sim_card',
  displayLabel: 'Card (test)',
  livemode: false,
  enabled: true,
  sortOrder: 0,
};

const replace = (...wishes: MethodWish[]) => world.methods.replace(account.ref, wishes, newId(Date.now()));

describe('the methods of an account', () => {
  it('are none at first, then what was put last, in the order of display', async () => {
    account = await world.newAccount();
    expect(await world.methods.list(account.ref)).toEqual([]);
    const put = await replace(cards, card);
    expect(put.map(({ gatewayCode }) => gatewayCode)).toEqual(['sim_card', 'sslcommerz']);
    expect(await world.methods.list(account.ref)).toEqual(put);
    expect(await replace(cardsAgain)).toEqual([put[1]]);
    expect(await world.methods.list(account.ref)).toEqual([put[1]]);
    expect(await world.methods.list((await world.newAccount()).ref)).toEqual([]);
  });

  it('are found by id, removed ones too, with their credentials: payments begun with them go on', async () => {
    account = await world.newAccount();
    const [first] = await replace(cards);
    await replace(card);
    await replace();
    expect(await world.methods.list(account.ref)).toEqual([]);
    expect(await world.methods.find(account.ref, first?.id ?? '')).toEqual(first);
    expect(await world.methods.find(account.ref, newId(Date.now()))).toBeUndefined();
    await expect(replace(cardsAgain)).rejects.toThrow('0.credentials.storeId: is required');
    const [second] = await replace(cards);
    expect(second?.id).not.toBe(first?.id);
  });

  it('keep the credentials of their shop, for payments begun there, when another shop takes their place', async () => {
    account = await world.newAccount();
    const [first] = await replace(cards);
    const moved = { storeId: 'shop-0816', storePassword: 'pa55word' };
    const [second] = await replace({ ...cards, credentials: moved });
    expect(await world.methods.find(account.ref, first?.id ?? '')).toEqual(first);
    expect(await world.methods.find(account.ref, second?.id ?? '')).toMatchObject({ credentials: moved });
  });

  it('have the latest password of their shop, also those that were removed before it was replaced', async () => {
    account = await world.newAccount();
    const [first] = await replace(cards);
    await replace();
    const now = { ...credentials, storePassword: 'second' };
    const [second] = await replace({ ...cards, enabled: false, credentials: now });
    expect(await world.methods.find(account.ref, first?.id ?? '')).toEqual({ ...first, credentials: now });
    await replace();
    for (const method of [first, second])
      expect(await world.methods.find(account.ref, method?.id ?? '')).toMatchObject({ credentials: now });
  });

  const large = (shop: string, letter: string): MethodWish[] =>
    Array.from({ length: 50 }, (_, n) => ({
      ...cards,
      gatewayCode: 'bkash',
      displayLabel: `${n}`.padEnd(100, letter),
      credentials: {
        username: shop,
        ...Object.fromEntries(['password', 'appKey', 'appSecret'].map((name) => [name, letter.repeat(500)])),
      },
    }));

  it('stay within one item, however large they are and however often they are replaced', async () => {
    account = await world.newAccount();
    for (let round = 0; round < 4; round += 1) {
      await replace(...large(`shop ${round}`, '語'));
      await replace();
    }
    expect(await world.methods.list(account.ref)).toEqual([]);
    await expect(replace(...large('shop', '\u0001'))).rejects.toThrow(
      'credentials: all methods together must be at most 380,000 bytes of JSON',
    );
  });

  it('are all found after they were removed, as many as lie in one item', async () => {
    account = await world.newAccount();
    const small = (round: number) =>
      Array.from({ length: 50 }, (_, n) => ({ ...card, displayLabel: `Card ${round * 50 + n}` }));
    const removed = [];
    for (let round = 0; round < 6; round += 1) removed.push(...(await replace(...small(round))));
    await replace();
    const { retired } = await world.methods.listKnown(account.ref);
    expect(new Set(retired)).toEqual(new Set(removed));
    const [newest, other] = [await replace(...large('shop A', '語')), await replace(...large('shop B', '語'))];
    const known = await world.methods.listKnown(account.ref);
    expect([known.current, known.retired]).toEqual([other, newest.slice(0, known.retired.length)]);
    expect(known.retired.length).toBeGreaterThan(10);
  });

  it('that are put by several at once keep one id each', async () => {
    account = await world.newAccount();
    const answers = await Promise.all(Array.from({ length: 8 }, () => replace(card)));
    const [kept] = await world.methods.list(account.ref);
    for (const answer of answers) expect(answer).toEqual([kept]);
  });

  it('leave neither credentials nor labels readable in the table', async () => {
    account = await world.newAccount();
    await replace(cards);
    const item = (await world.scan()).find(({ PK, SK }) => PK === `A#${account.ref.id}` && SK === 'METHODS');
    const bytes = Buffer.from(item?.['methods'] as Uint8Array).toString('latin1');
    expect(bytes.length).toBeGreaterThan(100);
    for (const text of ['shop-0815', 'pa55word', 'Mastercard'])
      expect(`${JSON.stringify(item)}${bytes}`).not.toContain(text);
  });
});
