import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../kit/fault.ts';
import type { AcceptanceMethod, MethodWish } from './methods.ts';
import { replaceMethods } from './replace-methods.ts';

const store = { storeId: 'store', storePassword: 'password' };
const wish = (wishes: Partial<MethodWish> = {}): MethodWish => ({
  gatewayCode: 'sslcommerz',
  displayLabel: 'Cards',
  livemode: true,
  enabled: true,
  sortOrder: 1,
  ...wishes,
});

let made = 0;
const newIdAt = (): string => {
  made += 1;
  return `new${made}`;
};
const replace = (before: readonly AcceptanceMethod[], wishes: readonly MethodWish[]) =>
  replaceMethods(before, wishes, newIdAt);
const byLabel = (methods: readonly AcceptanceMethod[], label: string) =>
  methods.find(({ displayLabel }) => displayLabel === label);

const faultOf = (before: readonly AcceptanceMethod[], wishes: readonly MethodWish[]): string => {
  try {
    replace(before, wishes);
    return 'none';
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return `${thrown.code}: ${thrown.message}`;
  }
};

describe('a method stays itself', () => {
  const before = replace([], [wish({ credentials: store })]);

  it('with its id and its credentials, when it is wished again without any', () => {
    expect(replace(before, [wish({ enabled: false })])).toEqual([{ ...before[0], enabled: false }]);
  });

  it('with other credentials of its shop, when they are sent', () => {
    const other = { ...store, storePassword: 'other' };
    expect(replace(before, [wish({ credentials: other })])).toEqual([{ ...before[0], credentials: other }]);
  });

  it('never with those of another shop at its gateway, for any id that is sent', () => {
    const other = { storeId: 'other', storePassword: 'other' };
    const moved = replace(before, [wish({ acceptanceMethodId: String(before[0]?.id), credentials: other })]);
    expect(moved).toMatchObject([{ displayLabel: 'Cards', credentials: other }]);
    expect(moved[0]?.id).not.toBe(before[0]?.id);
    expect(replace(moved, [wish({ credentials: other })])).toEqual(moved);
  });

  it('under another label, as the only one of its gateway and mode', () => {
    expect(replace(before, [wish({ displayLabel: 'Visa' })])).toEqual([{ ...before[0], displayLabel: 'Visa' }]);
  });

  it('among several of its gateway and mode: by its label, or by its id', () => {
    const two = replace(before, [wish(), wish({ displayLabel: 'Wallets', credentials: store })]);
    expect(byLabel(two, 'Cards')?.id).toBe(before[0]?.id);
    const swapped = replace(two, [
      wish({ displayLabel: 'Wallets', acceptanceMethodId: String(before[0]?.id) }),
      wish({ displayLabel: 'Cards', acceptanceMethodId: String(byLabel(two, 'Wallets')?.id) }),
    ]);
    expect(byLabel(swapped, 'Wallets')?.id).toBe(before[0]?.id);
    expect(faultOf(two, [wish({ displayLabel: 'Visa' }), wish({ displayLabel: 'Master' })])).toContain(
      '0.credentials.storeId: is required; 0.credentials.storePassword: is required; 1.credentials',
    );
  });

  it('never across gateways or modes, for any id that is sent', () => {
    const id = String(before[0]?.id);
    const changes: Partial<MethodWish>[] = [{ livemode: false }, { gatewayCode: 'bkash' }];
    for (const change of changes) {
      expect(faultOf(before, [wish({ ...change, acceptanceMethodId: id })])).toContain('is required');
    }
  });
});

describe('a list is refused', () => {
  it('with a simulator in live mode', () => {
    expect(faultOf([], [wish(), wish({ gatewayCode: 'sim_card' })])).toContain('1.livemode: must be false');
  });

  it('with credentials missing, and names them; a simulator needs none', () => {
    expect(faultOf([], [wish({ gatewayCode: 'bkash', credentials: { username: 'u', appKey: 'k' } })])).toBe(
      'invalid_request: 0.credentials.password: is required; 0.credentials.appSecret: is required',
    );
    expect(faultOf([], [wish({ gatewayCode: 'sim_bank', livemode: false })])).toBe('none');
    expect(faultOf([], [wish({ credentials: { ...store, toString: 'x' } })])).toBe('none');
  });

  it('with two of one gateway, mode and label', () => {
    const twice = [wish({ credentials: store }), wish({ credentials: store })];
    expect(faultOf([], twice)).toBe(
      'invalid_request: 1.displayLabel: is already used by another method of this gateway and mode',
    );
    const [cards] = twice;
    expect(faultOf([], [cards ?? wish(), wish({ credentials: store, livemode: false })])).toBe('none');
  });
});

it('keeps what a gateway asks for, and no more', () => {
  const [sandbox] = replace([], [wish({ livemode: false, credentials: { ...store, note: 'x' } })]);
  expect(sandbox?.credentials).toEqual(store);
  expect(replace([], [wish({ gatewayCode: 'sim_card', livemode: false, credentials: store })])[0]?.credentials).toEqual(
    {},
  );
});

it('gives every method an id of its own, and the same list again changes nothing', () => {
  const anyWish = fc.record({
    gatewayCode: fc.constantFrom('sslcommerz' as const, 'sim_card' as const),
    displayLabel: fc.constantFrom('A', 'B', 'C', 'D'),
    livemode: fc.constant(false),
    enabled: fc.boolean(),
    sortOrder: fc.integer({ min: 0, max: 2 }),
    credentials: fc.constant(store),
  });
  const wishes = fc.uniqueArray(anyWish, {
    selector: ({ gatewayCode, displayLabel }) => `${gatewayCode} ${displayLabel}`,
  });
  fc.assert(
    fc.property(wishes, wishes, (first, second) => {
      const before = replace([], first);
      const after = replace(before, second);
      expect(new Set(after.map(({ id }) => id)).size).toBe(second.length);
      for (const { id, gatewayCode } of after) {
        const known = before.find((method) => method.id === id);
        if (known) expect(known.gatewayCode).toBe(gatewayCode);
      }
      for (const { gatewayCode, displayLabel, id } of after) {
        const known = before.find((one) => one.gatewayCode === gatewayCode && one.displayLabel === displayLabel);
        if (known) expect(id).toBe(known.id);
      }
      expect(replace(after, second)).toEqual(after);
    }),
  );
});
