import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AcceptanceMethod, eligibleMethods, shown } from './methods.ts';
import { type GatewayCode, isGatewayCode, supportedGateways, takesAmount } from './supported-gateways.ts';

const codes = Object.keys(supportedGateways).filter(isGatewayCode);

const method = (wishes: Partial<AcceptanceMethod> = {}): AcceptanceMethod => ({
  id: 'a',
  gatewayCode: 'sim_card',
  displayLabel: 'Card',
  livemode: false,
  enabled: true,
  sortOrder: 1,
  credentials: {},
  ...wishes,
});

const anyMethod = fc
  .record({
    id: fc.uuid(),
    gatewayCode: fc.constantFrom(...codes),
    displayLabel: fc.string({ minLength: 1, maxLength: 5 }),
    livemode: fc.boolean(),
    enabled: fc.boolean(),
    sortOrder: fc.integer({ min: 0, max: 3 }),
  })
  .map(method);

const session = { livemode: false, amountMinor: 600_000, currency: 'BDT' };
const labels = (methods: readonly AcceptanceMethod[], order = session) =>
  eligibleMethods(methods, order).map(({ displayLabel }) => displayLabel);

describe('eligible methods', () => {
  it('are shown as the specification has them, without anything else', () => {
    const credentials = { storeId: 'sesame' };
    expect(eligibleMethods([method({ gatewayCode: 'sslcommerz', credentials })], session)).toEqual([
      { acceptanceMethodId: 'a', mode: 'GATEWAY', gatewayCode: 'sslcommerz', displayLabel: 'Card', sortOrder: 1 },
    ]);
  });

  it('come by sort order, then by label', () => {
    const methods = [
      method({ displayLabel: 'Wallet', sortOrder: 2 }),
      method({ displayLabel: 'Card', sortOrder: 2 }),
      method({ displayLabel: 'Bank', sortOrder: 10 }),
      method({ displayLabel: 'Zebra', sortOrder: 1 }),
    ];
    expect(labels(methods)).toEqual(['Zebra', 'Card', 'Wallet', 'Bank']);
  });

  it('are enabled, of the mode and within the limits; regardless of the order they were in', () => {
    fc.assert(
      fc.property(
        fc.array(anyMethod),
        fc.boolean(),
        fc.integer({ min: 1, max: 10 ** 12 }),
        (methods, livemode, amountMinor) => {
          const order = { livemode, amountMinor, currency: 'BDT' };
          const eligible = eligibleMethods(methods, order);
          const expected = methods.filter(
            (each) => each.enabled && each.livemode === livemode && takesAmount(each.gatewayCode, amountMinor, 'BDT'),
          );
          expect(eligible.map((each) => each.acceptanceMethodId).sort()).toEqual(expected.map(({ id }) => id).sort());
          expect(eligible.map(({ sortOrder }) => sortOrder)).toEqual(expected.map(({ sortOrder }) => sortOrder).sort());
          expect(eligibleMethods(methods.toReversed(), order)).toEqual(eligible);
        },
      ),
    );
  });
});

describe('the amounts that a gateway takes', () => {
  it.each<[GatewayCode, number, boolean]>([
    ['sslcommerz', 999, false],
    ['sslcommerz', 1_000, true],
    ['sslcommerz', 50_000_000, true],
    ['sslcommerz', 50_000_001, false],
    ['bkash', 99, false],
    ['bkash', 100, true],
    ['bkash', 999_999_999_999, true],
    ['sim_card', 1, true],
    ['sim_wallet', 999_999_999_999, true],
    ['sim_bank', 1_001, true],
  ])('%s, %i: %j', (code, amountMinor, isTaken) => {
    expect(takesAmount(code, amountMinor, 'BDT')).toBe(isTaken);
  });

  it('are of its currencies only', () => {
    expect(codes.filter((code) => takesAmount(code, 100_000, 'USD'))).toEqual(['sim_card', 'sim_wallet', 'sim_bank']);
    expect(takesAmount('bkash', 100_000, 'constructor')).toBe(false);
  });
});

it('knows no gateway by the name of something that every object has', () => {
  for (const name of ['toString', '__proto__', 'constructor', '', 'SIM_CARD']) expect(isGatewayCode(name)).toBe(false);
});

it('shows a method without its credentials', () => {
  const credentials = { storeId: 'sesame', storePassword: 'sesame' };
  expect(JSON.stringify(shown(method({ credentials })))).not.toContain('sesame');
  expect(shown(method({ credentials })).hasCredentials).toBe(true);
  expect(shown(method())).toEqual({
    acceptanceMethodId: 'a',
    gatewayCode: 'sim_card',
    displayLabel: 'Card',
    livemode: false,
    enabled: true,
    sortOrder: 1,
    hasCredentials: false,
  });
});
