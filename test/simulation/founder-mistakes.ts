import type { Mistake } from './mistake.ts';

const whole = 'an account that was wanted is there once, and whole';
const credits = 'credits are set to what was wanted, once, and read as they were';
const pages = 'the pages of a ledger show what was in it before they were read, each once';
const alike = 'an account is read the same by everybody, with its whole ledger';
const store = 'shared/table/accounts/credit-store.ts';

/** Mistakes with new accounts and their credits that the simulation must find. */
export const founderMistakes: readonly Mistake[] = [
  {
    name: 'a new account is not listed',
    file: 'shared/table/accounts/account-store.ts',
    find: '              ...indexKeys.account(ref.id),\n',
    replace: '',
    breaks: [whole],
  },
  {
    name: 'the key that is shown is not the one that is kept',
    file: 'functions/admin/create-api-key/handler.ts',
    find: 'apiKeys.create(account.ref, key,',
    replace: 'apiKeys.create(account.ref, makeApiKey(),',
    breaks: ['an account and its key are of use at once'],
  },
  {
    name: 'a revoked key is listed as if it still worked',
    file: 'shared/table/accounts/api-key-store.ts',
    find: 'apiKey.parse({ revokedAt: null, ...item })',
    replace: 'apiKey.parse({ ...item, revokedAt: null })',
    breaks: ['an account has the key that was asked for, and no other that works'],
  },
  {
    name: 'of two operators who set credits at once, both add what is missing',
    file: 'shared/table/accounts/credit-items.ts',
    find: "[guard.changes === 0 ? 'attribute_not_exists(changes)' : 'changes = :read']),",
    replace: "[guard.changes === 0 ? 'attribute_exists(PK)' : 'changes >= :read']),",
    breaks: [credits],
  },
  {
    name: 'credits are set without the parts that lie elsewhere',
    file: store,
    find: 'const wanted = changeOf(creditsIn(shards));',
    replace: 'const wanted = changeOf(creditsIn(shards.slice(0, 1)));',
    breaks: [credits],
  },
  {
    name: 'a page of the ledger begins with the last entry of the one before',
    file: store,
    find: 'cursor === undefined || id < cursor)',
    replace: 'cursor === undefined || id <= cursor)',
    breaks: [pages, alike],
  },
  {
    name: 'the ledger does not say who set credits',
    file: store,
    find: "await change(account, { ...entry, kind: 'set' }, (credits) =>",
    replace: "await change(account, { ...entry, who: '', kind: 'set' }, (credits) =>",
    breaks: [alike],
  },
];
