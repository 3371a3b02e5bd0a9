import { expect, it } from 'vitest';
import { areas, indexesOf, leadingKeysOf } from './areas.ts';
import { type ItemKey, itemKeys } from './keys.ts';

const account = '01a1f95f-94e3-745c-9404-7ff971047f51';

/** As IAM reads a pattern. */
const matches = (pattern: string, key: string): boolean =>
  new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(key);

const areasOf = (key: string) => areas.filter((area) => leadingKeysOf(area).some((pattern) => matches(pattern, key)));

/** Keys with these parts, by item. `{account}` is first where an item is an account's. */
const keysWith = (parts: readonly unknown[]) =>
  Object.entries<(...parts: never[]) => ItemKey>(itemKeys).map(([item, build]) => ({
    item,
    partition: build(...(parts as never[])).PK,
  }));

it('every item’s partition key is in one area; only an account’s own item and its first shard of credits share theirs', () => {
  const first = [account, 0, 0, 'd', 'e'];
  const later = [account, '7e', 3, 3, 'e'];
  for (const { item, partition } of [...keysWith(first), ...keysWith(later)]) {
    const expected = partition === `A#${account}` ? ['account', 'credits'] : [expect.any(String)];
    expect(areasOf(partition), `${item}: ${partition}`).toEqual(expected);
  }
});

it('the areas of credits, keys and payments have these partition keys', () => {
  const any = '?'.repeat(36);
  expect(leadingKeysOf('credits')).toEqual([`A#${any}`, `A#${any}#CREDITS#*`]);
  expect(leadingKeysOf('keys')).toEqual(['KEY#*', 'KEYID#*']);
  expect(leadingKeysOf('key-lists')).toEqual([`A#${any}#KEYS`, `A#${any}#CHECKOUTKEYS`]);
  expect(leadingKeysOf('checkout')).toEqual([
    'CS#*',
    `A#${any}#CSKEY#*`,
    `A#${any}#SESSIONS#*`,
    'PAY#*',
    'REFUND#*',
    `A#${any}#INVOICE#*`,
    `A#${any}#PAY#*`,
    `A#${any}#PAY`,
    `A#${any}#REFUND#*`,
  ]);
});

it('an area has rows in the indexes that its keys name, and few have any', () => {
  expect(indexesOf('messages')).toEqual(['GSI1', 'GSI2']);
  expect(indexesOf('due-work')).toEqual(['GSI1']);
  expect(indexesOf('credits')).toEqual([]);
});
