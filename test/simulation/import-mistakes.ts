import type { Mistake } from './mistake.ts';

const comesToEnd = 'an import comes to its end, and says how';
const counts = 'an import counts each row as what became of it';
const asRowSays = 'a contact of an import is as its row says, or as it was asked to be since';
const duplicates = 'a row is a duplicate only of another contact that had its address';
const stays = 'what came of an import stays, and its file does not';

/** Mistakes with imports that the simulation must find. */
export const importMistakes: readonly Mistake[] = [
  {
    name: 'a row has the id of one that came before it',
    file: 'functions/chores/do-chore/import-rows.ts',
    find: 'id: idOfRow(id, savedMs, total + n)',
    replace: 'id: idOfRow(id, savedMs, n)',
    breaks: [counts],
  },
  {
    name: 'a run that failed is kept out by its own claim',
    file: 'shared/table/transfers/transfer-store.ts',
    find: '(attribute_not_exists(#run) OR #run = :run OR claimedUntil < :now)',
    replace: '(attribute_not_exists(#run) OR (#run <> :run AND claimedUntil < :now))',
    breaks: [comesToEnd, 'an export comes to its end, and its file stays'],
  },
  {
    name: 'an import goes on with a file that has replaced its own',
    file: 'shared/aws/file-store.ts',
    find: 'part?.tag !== undefined && part.tag !== tagIn(response)',
    replace: "part?.tag === '' && part.tag !== tagIn(response)",
    breaks: [counts, duplicates],
  },
  {
    name: 'contacts of an import count as created when it was begun',
    file: 'shared/transfers/contact-import.ts',
    find: '  savedMs: nowMs,',
    replace: '  savedMs: undefined,',
    breaks: [asRowSays],
  },
  {
    name: 'a trial takes the email of a retired contact for free',
    file: 'shared/table/contacts/contact-bulk.ts',
    find: 'return contacts.map(({ locks }) => takenBy(locks, found));',
    replace: 'return contacts.map(({ locks }) => takenBy(locks, found).filter(({ byRetired }) => !byRetired));',
    breaks: [duplicates],
  },
  {
    name: 'the file of an import stays',
    file: 'functions/chores/do-chore/import-contacts.ts',
    find: '    if (!isOpen(after)) await importFiles.remove(account, job.id);\n',
    replace: '',
    breaks: [stays],
  },
  {
    name: 'a retry says that its import waits longer than it does',
    file: 'functions/contacts/start-import/handler.ts',
    find: 'const { dryRun, uploadUntilMs } = started;',
    replace: 'const [dryRun, uploadUntilMs] = [started.dryRun, newImport(false, nowMs).uploadUntilMs];',
    breaks: [comesToEnd],
  },
  {
    name: 'an import that waits is not looked at again',
    file: 'functions/chores/do-chore/import-contacts.ts',
    find: "    if (after.status === 'waiting')\n",
    replace: "    if (after.status === 'waiting' && after.offset > 0)\n",
    breaks: [comesToEnd],
  },
];
