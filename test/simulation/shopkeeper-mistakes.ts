import type { Mistake } from './mistake.ts';

const opens = 'a checkout key opens everything until it is revoked, and nothing after that';
const keys = 'a merchant has the keys that were asked for, and no other that works';
const offered = 'a payment begins with a way to pay that its merchant offers then';
const wished = 'ways to pay are as they were last wished, and stay themselves';
const notRefused = 'what operators do with keys and ways to pay is not refused';
const ends = 'every session, payment and refund reaches its end, or a person is told';
const taken = 'a payment has succeeded where its gateway has taken the money, and nowhere else';
const methods = 'shared/checkout/replace-methods.ts';

/** Mistakes with checkout keys and ways to pay that the simulation must find. */
export const shopkeeperMistakes: readonly Mistake[] = [
  {
    name: 'a revoked key is only shown as such',
    file: 'shared/table/accounts/caller-keys.ts',
    find: "        { Update: { Key: places.item(String(pointer['hash'])), ...revocation } },\n",
    replace: '',
    breaks: [opens, 'a key that is revoked sends nothing'],
  },
  {
    name: 'a revoked checkout key is listed as if it still worked',
    file: 'shared/table/checkout/checkout-key-store.ts',
    find: 'checkoutKey.parse({ revokedAt: null, ...item })',
    replace: 'checkoutKey.parse({ ...item, revokedAt: null })',
    breaks: [keys],
  },
  {
    name: 'payers may choose a way to pay that is disabled',
    file: 'shared/checkout/methods.ts',
    find: 'method.enabled && method.livemode === livemode &&',
    replace: 'method.livemode === livemode &&',
    breaks: [offered],
  },
  {
    name: 'a way to pay with another label is another one',
    file: methods,
    find: 'id: known[position]?.id ?? newIdAt(position),',
    replace: 'id: (known[position]?.displayLabel === wish.displayLabel && known[position]?.id) || newIdAt(position),',
    breaks: [wished],
  },
  {
    name: 'a way to pay is known by its label only',
    file: methods,
    find: '    isOnlyOne,\n  ];',
    replace: '  ];',
    breaks: [notRefused, wished],
  },
  {
    name: 'a way to pay that was taken away is forgotten',
    file: 'shared/table/checkout/method-store.ts',
    find: 'retired: [...left, ...kept.retired]',
    replace: 'retired: [...left.slice(1), ...kept.retired]',
    breaks: [ends, taken],
  },
  {
    name: 'a way to pay that ended keeps the password that it had',
    file: 'shared/table/checkout/method-store.ts',
    find: 'return ended ? renewed(ended, [...current, ...retired]) : current',
    replace: 'return ended ? renewed(ended, [ended]) : current',
    breaks: [ends, taken],
  },
  {
    name: 'a way to pay keeps its first credentials',
    file: methods,
    find: 'const credentials = wish.credentials ?? known[position]?.credentials ?? {};',
    replace: 'const credentials = known[position]?.credentials ?? wish.credentials ?? {};',
    breaks: [ends, taken],
  },
];
