import { type Route, routes, unknownRoute } from './routes.ts';
import { type Worker, workers } from './workers.ts';

/** The folders under `functions` that the two tables name. */
export const functionFolders: readonly string[] = [
  ...new Set([...Object.values(routes), unknownRoute, ...workers].map(({ does }) => does)),
];

/** What Lambda gives the function of a row. */
export const megabytesOf = ({ memoryMegabytes = 512 }: Pick<Route | Worker, 'memoryMegabytes'>): number =>
  memoryMegabytes;

/** A function is named by its folder: `messages/send-message` is `messages-send-message` in bundles, stacks, logs, alarms and `events`. */
export const functionName = (does: string): string => does.replaceAll('/', '-');
