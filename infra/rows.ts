import { routes, unknownRoute } from './routes.ts';
import { workers } from './workers.ts';

/** The folders under `functions` that the two tables name. */
export const functionFolders: readonly string[] = [
  ...new Set([...Object.values(routes), unknownRoute, ...workers].map(({ does }) => does)),
];

/** A function is named by its folder: `messages/send-message` is `messages-send-message` in bundles, stacks, logs, alarms and `events`. */
export const functionName = (does: string): string => does.replaceAll('/', '-');
