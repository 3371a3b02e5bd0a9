import type { Mistake } from './mistake.ts';

const rows = 'contacts, their addresses and their rows in lists agree';
const counted = 'contacts are counted by status';
const createdOnce = 'a contact is created once, if its request says so';
const asAsked = 'a contact is as it was last asked to be';
const oneAddress = 'an address is one contact';
const asTold = 'a contact is what is told of its messages';
const notAfterLeaving = 'nothing that was asked for later goes to a recipient who has unsubscribed, until it may again';
const credits = 'credits are what was granted less what messages cost, and equal the ledger';
const oneEffect = 'one effect per request, and per idempotency key';

/** Mistakes with contacts, and with many messages at once, that the simulation must find. */
export const contactMistakes: readonly Mistake[] = [
  {
    name: 'a contact keeps the email that it had before',
    file: 'shared/table/contacts/contact-writes.ts',
    find: '    ...without(oldLocks, newLocks).map(remove),\n',
    replace: '',
    breaks: [rows],
  },
  {
    name: 'a contact stays in the lists where it was before',
    file: 'shared/table/contacts/contact-writes.ts',
    find: '    ...without(oldRows, newRows).map(remove),\n',
    replace: '',
    breaks: [rows],
  },
  {
    name: 'a retired contact is still counted',
    file: 'shared/table/contacts/contact-writes.ts',
    find: '  countWrite(accountId, contact.id, [[contact.status, -1]]),\n',
    replace: '',
    breaks: [counted],
  },
  {
    name: 'a retired contact’s email is free',
    file: 'shared/table/contacts/contact-writes.ts',
    find: 'holdsWhenRetired[lock.holds] ? put({ ...lock, isRetired: true }) : remove(lock)',
    replace: 'remove(lock)',
    breaks: [rows],
  },
  {
    name: 'a contact is changed as it was a moment ago',
    file: 'shared/table/contacts/contact-writes.ts',
    find: `const asRead = \`updatedAt = :readAt AND score = :readScore AND \${notLeftSince}\`;`,
    replace: `const asRead = \`(updatedAt = :readAt OR attribute_exists(PK)) AND (score = :readScore OR attribute_exists(PK)) AND (\${notLeftSince} OR attribute_exists(PK))\`;`,
    breaks: [
      rows,
      counted,
      // An unsubscription, too.
      'who has unsubscribed is recorded as unsubscribed, and nobody else',
    ],
  },
  {
    name: 'a new contact takes an email that another one has',
    file: 'shared/table/contacts/contact-writes.ts',
    find: '...lockItems(accountId, cipher, contact).map(putNew),',
    replace: '...lockItems(accountId, cipher, contact).map(put),',
    breaks: [oneAddress, rows, asTold],
  },
  {
    name: 'a repeated import says that its own contacts are duplicates',
    file: 'shared/table/contacts/contact-bulk.ts',
    find: 'isKnown(contact) ? [] : takenBy(locks, found)',
    replace:
      'isKnown(contact) ? locks.map(({ holds: field }) => ({ field, byRetired: false })) : takenBy(locks, found)',
    breaks: [createdOnce, 'an import counts each row as what became of it'],
  },
  {
    name: 'a repeated creation of a contact is a conflict with itself',
    file: 'shared/table/contacts/contact-writes.ts',
    find: 'failed.some(({ position }) => position === 0)',
    replace: 'failed.length === 0',
    breaks: [createdOnce, asAsked],
  },
  {
    name: 'a contact of another status is counted as it was',
    file: 'shared/table/contacts/contact-writes.ts',
    find: '            [before.status, -1],\n',
    replace: '',
    breaks: [counted],
  },
  {
    name: 'a repeated adjustment of credits is made again',
    file: 'shared/table/accounts/credit-store.ts',
    find: 'putNew({\n    ...itemKeys.ledgerEntry(accountId, id),',
    replace: '((Item) => ({ Put: { Item } }))({\n    ...itemKeys.ledgerEntry(accountId, id),',
    breaks: [credits],
  },
  {
    name: 'a list of addresses that are not written to is not asked',
    file: 'shared/compliance/recipient-rules.ts',
    find: "settings.suppressions === 'enforced' ? suppressed : undefined",
    replace: 'undefined',
    breaks: ['an address that is not to be written to gets no mail', notAfterLeaving],
  },
  {
    name: 'a repeated batch sends its rows again',
    file: 'functions/messages/send-messages/handler.ts',
    find: 'const id = nthId(newId, index);\n    if (known) return accepted(index, known);',
    replace: 'const id = nthId(newId, index + (isResumed ? 200 : 0));',
    breaks: [oneEffect],
  },
];
