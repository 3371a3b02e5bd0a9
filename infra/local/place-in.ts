import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `infra/app.ts:12: `, where a trace of Node begins with the file and the line of an error. Otherwise nothing. */
export const placeIn = (trace = ''): string => {
  const [, url, line] = /^(file:\/\/.+):(\d+)$/m.exec(trace) ?? [];
  return url === undefined ? '' : `${relative('.', fileURLToPath(url))}:${line}: `;
};
