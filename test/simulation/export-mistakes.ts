import type { Mistake } from './mistake.ts';

const comesToEnd = 'an export comes to its end, and its file stays';
const onceEach = 'an export has each row that was there all the time, once, and no later one';
const asItWas = 'a row of an export says what it was at some moment of it';
const counts = 'an import counts each row as what became of it';

/** Mistakes with exports that the simulation must find. */
export const exportMistakes: readonly Mistake[] = [
  {
    name: 'what a run keeps for the next one lies where that of a killed run lay',
    file: 'shared/table/transfers/growing-file.ts',
    find: `const rest = \`\${key}.\${randomUUID()}\`;`,
    replace: `const rest = \`\${key}.\${randomUUID().slice(0, 0)}\`;`,
    breaks: [onceEach, counts],
  },
  {
    name: 'an export has what came after it was begun',
    file: 'shared/transfers/export.ts',
    find: 'createdBeforeMs: Math.min(filter.createdBeforeMs ?? nowMs, nowMs)',
    replace: 'createdBeforeMs: filter.createdBeforeMs ?? nowMs + 60_000',
    breaks: [onceEach],
  },
  {
    name: 'an export has a contact twice where two pages meet',
    file: 'shared/table/contacts/contact-store.ts',
    find: 'toMs: filter.createdBeforeMs });',
    replace: 'toMs: filter.createdBeforeMs }); if (cursor !== undefined) stretch.from = cursor;',
    breaks: [onceEach],
  },
  {
    name: 'an export queues its next run before it has saved',
    file: 'functions/chores/do-chore/export-rows.ts',
    find: `    const isSaved = await exports.save(account, hold, after);
    if (isSaved && after.status === 'processing') await transfersQueue.send([newRun(job)]);`,
    replace: `    if (after.status === 'processing') await transfersQueue.send([newRun(job)]);
    await exports.save(account, hold, after);`,
    breaks: [comesToEnd],
  },
  {
    name: 'an export shows when a message was to be sent, and not when it was',
    file: 'shared/transfers/export-columns.ts',
    find: 'sentAt: ({ sentAt }) => sentAt,',
    replace: 'sentAt: ({ sentAt, scheduledAt }) => scheduledAt ?? sentAt,',
    breaks: [asItWas],
  },
];
