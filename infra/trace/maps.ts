import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, mapFile } from '../bundle.ts';
import { functionFolders, functionName } from '../rows.ts';

/** The maps of a synthesis, by function. */
export const storedMaps =
  (folder: string) =>
  (name: string): SourceMap | undefined => {
    const file = join(folder, mapFile(name));
    return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
  };

/** The maps of these functions, made of the sources that are checked out. */
export const builtMaps = async (names: readonly string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'maps-'));
  try {
    const folders = functionFolders.filter((does) => names.includes(functionName(does)));
    await bundle(join(folder, 'bundles'), folders, join(folder, 'maps'));
    const found = storedMaps(join(folder, 'maps'));
    const maps = new Map(folders.map((does) => [functionName(does), found(functionName(does))]));
    return (name: string): SourceMap | undefined => maps.get(name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
