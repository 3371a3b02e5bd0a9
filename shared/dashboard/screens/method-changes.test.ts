import { expect, it } from 'vitest';
import type { AcceptanceMethod } from '../../client/admin.ts';
import { added } from './method-changes.ts';

it('adds a method after the last one of its mode, also where their places have gaps', () => {
  const wish = { gatewayCode: 'sim_card', displayLabel: 'Card', enabled: true } as const;
  const method = (livemode: boolean, sortOrder: number): AcceptanceMethod => ({
    ...wish,
    acceptanceMethodId: `m-${sortOrder}`,
    hasCredentials: false,
    livemode,
    sortOrder,
  });
  const places = (now: readonly AcceptanceMethod[]) =>
    added({ ...wish, livemode: false })(now).map(({ sortOrder }) => sortOrder);
  expect(places([method(false, 10), method(false, 20), method(true, 70)])).toEqual([10, 20, 70, 21]);
  expect(places([])).toEqual([1]);
});
