import type { Mutation } from './bundle-functions.ts';

/** S3 takes no smaller part but the last; in a world, of so many bytes. */
export const smallestPart = 400;

const change = (file: string, find: string, replace: string): Mutation => ({ file, find, replace });

/** How many subscriptions an account of a world can have. */
export const mostSubscriptions = 3;

/** A world's files have a few rows. With these sizes they are read and written in several pages, parts and runs, as large ones are in a deployment. What waits for its time lies in few places: most of many would be empty. */
export const smallSizes: readonly Mutation[] = [
  change(
    'shared/accounts/account.ts',
    'export const usualSubscriptions = 20;',
    `export const usualSubscriptions = ${mostSubscriptions};`,
  ),
  change('functions/chores/do-chore/import-contacts.ts', 'const runMs = 8_000;', 'const runMs = 150;'),
  change('functions/chores/do-chore/import-contacts.ts', 'const rowsAtOnce = 200;', 'const rowsAtOnce = 3;'),
  change('functions/chores/do-chore/import-rows.ts', 'const partBytes = 256 * 1024;', 'const partBytes = 600;'),
  change(
    'functions/chores/do-chore/import-rows.ts',
    'const idsPerMillisecond = 4_096;',
    'const idsPerMillisecond = 12;',
  ),
  change('functions/chores/do-chore/export-rows.ts', 'const runMs = 8_000;', 'const runMs = 100;'),
  change('functions/chores/do-chore/exports.ts', 'const messagesAtOnce = 100;', 'const messagesAtOnce = 2;'),
  change('functions/chores/do-chore/exports.ts', 'const contactsAtOnce = 500;', 'const contactsAtOnce = 3;'),
  change(
    'shared/table/transfers/growing-file.ts',
    'const smallestPart = 5 * 1024 * 1024;',
    `const smallestPart = ${smallestPart};`,
  ),
  change('shared/messages/message.ts', 'export const mostMessages = 100;', 'export const mostMessages = 5;'),
  change('shared/table/packed.ts', 'const mostPieceCharacters = 300_000;', 'const mostPieceCharacters = 2_000;'),
  change('shared/table/messages/due-items.ts', 'export const dueShards = 7;', 'export const dueShards = 2;'),
  change('shared/table/checkout/listings.ts', 'export const listShards = 8;', 'export const listShards = 2;'),
  change('shared/chores/stranded.ts', 'export const openShards = 32;', 'export const openShards = 2;'),
];
