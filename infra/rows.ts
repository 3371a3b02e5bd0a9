import { basename } from 'node:path';
import { routes, unknownRoute } from './routes.ts';
import { workers } from './workers.ts';

/** The folders under `functions` that the two tables name. */
export const functionFolders: readonly string[] = [
  ...new Set([...Object.values(routes), unknownRoute, ...workers].map(({ does }) => does)),
];

/** A function is named by its folder: `messages/send-message` is `messages-send-message` in bundles, stacks, logs, alarms and `events`. */
export const functionName = (does: string): string => does.replaceAll('/', '-');

/** The dead-letter queue that a function which a topic calls had in the release before. It stays for one release. */
export const retiredTopicDeadLetters = (does: string): string => `${basename(does)}-dead-letters`;
