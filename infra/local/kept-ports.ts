import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writeWhole } from './write-whole.ts';

const port = z.int().min(1).max(65_535).optional().catch(undefined);
const portsSchema = z.object({ api: port, inbox: port, files: port }).catch({});

/** The ports of the last start with a data directory, so that links and bookmarks stay valid after a restart. */
export const openKeptPorts = (dataDirectory: string) => {
  const file = join(dataDirectory, 'ports.json');
  return {
    last: portsSchema.parse(contentOf(file)),
    keep: (urls: { readonly api: string; readonly inbox: string; readonly files: string }): void => {
      const ports = Object.entries(urls).map(([name, url]) => [name, Number(new URL(url).port)]);
      writeWhole(file, JSON.stringify(Object.fromEntries(ports)));
    },
  };
};

const contentOf = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};
