import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapsFolder } from '../bundle.ts';
import { runCommand } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { functionFolders, functionName } from '../rows.ts';
import { builtMaps, storedMaps } from './maps.ts';
import { traced } from './trace.ts';

const help = `npm run trace -- [<file>] [--maps cdk.out/${mapsFolder}]

Prints lines of a function's log with the places of their stacks in the sources. Without a file, reads from the standard input.

  --maps <folder>     The source maps of the release that runs: a deployment leaves them in cdk.out/${mapsFolder}. Without it, they are made
                      of the sources that are checked out, which must be those of the release.
`;

/** Without a file, the standard input. */
const linesIn = (file: string | undefined): string => {
  if (file !== undefined && !existsSync(file)) throw new StartFailure(`There is no file ${file}.`);
  try {
    return readFileSync(file ?? 0, 'utf8').trimEnd();
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : thrown;
    throw new StartFailure(`${file ?? 'The standard input'} cannot be read: ${reason}`);
  }
};

await runCommand({
  help,
  options: { maps: { type: 'string' } },
  run: async ({ values: { maps }, positionals: [file, ...others], print }) => {
    if (others.length > 0) throw new StartFailure('Name one file. --help shows how.');
    if (maps !== undefined && !existsSync(maps)) throw new StartFailure(`There is no folder ${maps}. ${help}`);
    const text = linesIn(file);
    const names = functionFolders.map(functionName).filter((name) => text.includes(`${name}.js:`));
    const shown = traced(text, maps === undefined ? await builtMaps(names) : storedMaps(join(maps)));
    print(shown, { text: shown });
    return 0;
  },
});
