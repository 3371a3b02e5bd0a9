import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { itemKeys } from '../../../shared/table/keys.ts';
import { takeLease } from './take-lease.ts';

it('a lease that finds no slot in three looks returns its jobs at once, without another wait', async () => {
  const third = Promise.withResolvers<void>();
  let looks = 0;
  let isOver = false;
  const paces = {
    enter: async () => {
      looks += 1;
      if (looks === 3) third.resolve();
      return { kind: 'refused', refusal: { kind: 'busy' }, key: itemKeys.deliveryLeases('webhook') } as const;
    },
    appoint: async () => 0,
  };
  const asked = { url: 'https://example.com/hooks', read: {}, deliveries: ['delivery'] };
  const taken = takeLease(paces, { account: 'account', webhook: 'webhook', lane: 'fast' }, asked, Date.now);
  void taken.then(() => {
    isOver = true;
  });
  await third.promise;
  await nextTurn();
  expect({ looks, isOver }).toEqual({ looks: 3, isOver: true });
  expect(await taken).toEqual({ kind: 'later', lane: 'fast', delaySeconds: 1 });
});
