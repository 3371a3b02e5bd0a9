import { resolve } from 'node:path';
import { inShell } from './in-shell.ts';

export const defaultDataDirectory = '.local';

/** The command that starts without the data of this directory. It leaves all other directories as they are. */
export const freshStart = (dataDirectory: string): string => {
  const directory = resolve(dataDirectory);
  return `npm start -- --fresh${directory === resolve(defaultDataDirectory) ? '' : ` --data-dir ${inShell(directory)}`}`;
};
