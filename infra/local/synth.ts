import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildFailure } from 'esbuild';
import { currentMistakes } from '../check-rows.ts';
import { type Bundles, builtBundles, openBundles } from './bundles.ts';
import { placeIn } from './place-in.ts';
import { readBlueprint } from './read-blueprint.ts';
import { localStage } from './running-stack.ts';
import { StartFailure } from './start-failure.ts';

const root = join(import.meta.dirname, '..', '..');
// The documentation is bundled too: its pages are Markdown, and its figures JSON.
const source = /^(infra\/(stacks\/)?[^/]+\.ts|functions\/.+\.ts|shared\/.+\.(tsx?|css|md|json))$/;

/** Editors keep files of their own beside sources, such as the lock `.#main.ts`. */
export const isHidden = (file: string): boolean => file.includes('/.');

/** Listed without `globSync` and without `recursive`, which take as long as reading them. */
const filesIn = (checkout: string, folder: string): string[] =>
  readdirSync(join(checkout, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(checkout, path) : path;
  });

const sourceFiles = (checkout: string): string[] =>
  ['infra', 'functions', 'shared']
    .flatMap((folder) => filesIn(checkout, folder))
    .filter((file) => source.test(file) && !file.endsWith('.test.ts') && !isHidden(file))
    .concat('package-lock.json', 'cdk.json');

/** Identifies the sources and settings of an assembly. */
export const stampFile = 'made-of';

/** Called with the current step of the start, to be printed. */
export type Say = (line: string) => void;

/**
 * The cloud assembly that `cdk deploy` would deploy for the current sources. Its bundles may still be in progress. An assembly of
 * the same sources and settings is used again.
 * @throws StartFailure with what is wrong with the rows, or the message of the CDK app or of esbuild
 */
export const synthesize = async (
  assembly: string,
  settings: Readonly<Record<string, string>>,
  say: Say = () => undefined,
): Promise<Bundles> => {
  const stamp = join(assembly, stampFile);
  const fingerprint = fingerprintOf(settings);
  if (contentOf(stamp) === fingerprint) return builtBundles;
  const mistakes = currentMistakes();
  if (mistakes.length > 0) throw new StartFailure(mistakes.join('; '));
  rmSync(assembly, { recursive: true, force: true });
  say('Synthesizing the templates and bundling the functions');
  const ofSources = fingerprintOf({});
  const isCurrent = (): boolean => fingerprintOf({}) === ofSources;
  const places = { cache, fingerprint: ofSources, isCurrent, sourcesDirectory: join(assembly, 'bundles') };
  const bundling = openBundles(places).catch(failBundling);
  const app = runApp(assembly, settings).catch(async (thrown: unknown) => {
    // Its report ends the process, and esbuild at work would print a trace beside it.
    await bundling.catch(() => undefined);
    throw thrown;
  });
  const [code] = await Promise.all([bundling, app]);
  // As on Lambda, a bundle is CommonJS wherever the data directory lies.
  writeFileSync(join(assembly, 'package.json'), '{"type":"commonjs"}');
  const { functions } = readBlueprint(assembly);
  const directories = new Map(functions.map(({ name, codeDirectory }) => [name, codeDirectory]));
  const bundles = code.placeAt((name) => directories.get(name) ?? '');
  const all = bundles.all.then(() => {
    if (isCurrent()) writeFileSync(stamp, fingerprint);
  });
  // The start reports a failure itself when it awaits this.
  all.catch(() => undefined);
  return { ...bundles, all };
};

const cache = join(root, 'node_modules', '.cache', 'bundles');

const failBundling = (failure: BuildFailure): never => {
  const [error] = failure.errors ?? [];
  const place = error?.location ? `${error.location.file}:${error.location.line}: ` : '';
  throw new StartFailure(`The functions could not be bundled: ${place}${error?.text ?? failure.message}`);
};

const runApp = (assembly: string, settings: Readonly<Record<string, string>>): Promise<void> =>
  new Promise((resolve, reject) => {
    const context = JSON.stringify({ ...appContext(), ...settings, stage: localStage });
    const child = spawn(process.execPath, ['infra/app.ts'], {
      cwd: root,
      // CDK's validation of the templates is left to deployments: it takes longer than all the rest.
      env: {
        ...process.env,
        CDK_OUTDIR: assembly,
        CDK_CONTEXT_JSON: context,
        CDK_VALIDATION: 'false',
        BUNDLES_COME_LATER: 'true',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const endWithUs = (): void => void child.kill();
    process.once('exit', endWithUs);
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('exit', endWithUs);
      if (code === 0) resolve();
      else reject(new StartFailure(`The CDK app could not be synthesized: ${placeIn(output)}${gist(output)}`));
    });
  });

/** The line of a stack trace with the error message. */
const gist = (output: string): string => {
  const lines = output.split('\n').map((line) => line.trim());
  return (
    lines.find((line) => /^\w*Error( \[\w+\])?: /.test(line)) ??
    lines.find((line) => /error/i.test(line)) ??
    lines.find(Boolean) ??
    'it printed nothing'
  );
};

const appContext = (): Record<string, unknown> => JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')).context;

const contentOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** What the stamp of an assembly of the sources of a checkout, the current one by default, with these settings says. */
export const fingerprintOf = (settings: Readonly<Record<string, string>>, checkout = root): string => {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const file of sourceFiles(checkout).sort()) hash.update(file).update(readFileSync(join(checkout, file)));
  return hash.digest('hex');
};
