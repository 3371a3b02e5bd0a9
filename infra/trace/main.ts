import { existsSync, readFileSync } from 'node:fs';
import { commandOf, runCommand } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { functionFolders, functionName } from '../rows.ts';
import { mapsFile } from '../source-maps.ts';
import { builtMaps, deployedMaps, storedMaps } from './maps.ts';
import { type FindMap, traced } from './trace.ts';

const help = `npm run trace -- [<file>] [--stage prod]

Prints lines of a function's log with the places of their stacks in the sources. Without a file, reads from the standard input.
Without options, source maps are made of the sources that are checked out, which must be those of the release.

  --stage prod        The source maps of the release on AWS, read with the credentials and region of the environment
  --maps <file>       The source maps of another release: a deployment leaves them in cdk.out/${mapsFile}
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

interface Release {
  readonly maps?: string | undefined;
  readonly stage?: string | undefined;
}

const mapsFor = (text: string, { maps, stage }: Release): FindMap | Promise<FindMap> => {
  if (maps !== undefined) return storedMaps(maps);
  if (stage !== undefined) return deployedMaps(stage);
  return builtMaps(functionFolders.map(functionName).filter((name) => text.includes(`${name}.js:`)));
};

export const traceCommand = commandOf({
  help,
  options: { maps: { type: 'string' }, stage: { type: 'string' } },
  run: async ({ values, positionals: [file, ...others], print }) => {
    if (others.length > 0) throw new StartFailure('Name one file. --help shows how.');
    if (values.maps !== undefined && values.stage !== undefined)
      throw new StartFailure('Name the source maps by --stage or by --maps, not both.');
    const text = linesIn(file);
    const shown = traced(text, await mapsFor(text, values));
    print(shown, { text: shown });
    return 0;
  },
});

if (import.meta.main) await runCommand(traceCommand);
