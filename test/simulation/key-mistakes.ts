import type { Mistake } from './mistake.ts';

/** Mistakes with keys that the simulation must find. */
export const keyMistakes: readonly Mistake[] = [
  {
    name: 'a key that is revoked still works',
    file: 'shared/table/accounts/caller-keys.ts',
    find: 'attribute_not_exists(revokedAt) AND (',
    replace: '(attribute_not_exists(revokedAt) OR attribute_exists(revokedAt)) AND (',
    breaks: ['a key that is revoked sends nothing'],
  },
  {
    name: 'a key ends with its first minute',
    file: 'shared/table/accounts/caller-keys.ts',
    find: 'return opened.done ? opened : countOrOpen(hash, current, nowSeconds);',
    replace: "return opened.done && Number(counted.item['minute']) === 0 ? opened : { done: false, item: undefined };",
    breaks: [
      'a key works until it is revoked',
      // Those of merchants and of new accounts end too.
      'an account and its key are of use at once',
      'all readers say the same of a session, its payments and refunds',
    ],
  },
];
