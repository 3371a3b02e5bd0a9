import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file for its owner alone, in one step: neither a kill nor a full disk leaves half of it, and nobody reads half of it. */
export const writeWhole = (file: string, content: string | Uint8Array): void => {
  writeFileSync(`${file}.new`, content, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
};
