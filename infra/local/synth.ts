import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from './start-failure.ts';

const root = join(import.meta.dirname, '..', '..');
const sources = [
  'infra/*.ts',
  'infra/stacks/*.ts',
  'functions/**/*.ts',
  'shared/**/*.ts',
  'package-lock.json',
  'cdk.json',
];

/** Names the sources and settings that an assembly was made of. */
export const stampFile = 'made-of';

/**
 * The cloud assembly that `cdk deploy` would deploy, of the sources as they are now. One that was made of the same sources and
 * settings is used again.
 * @throws StartFailure with what the CDK app said
 */
export const synthesize = async (assembly: string, settings: Readonly<Record<string, string>>): Promise<void> => {
  const stamp = join(assembly, stampFile);
  const fingerprint = fingerprintOf(settings);
  if (contentOf(stamp) === fingerprint) return;
  rmSync(assembly, { recursive: true, force: true });
  const kept = keptBundles(fingerprintOf({}));
  const hasBundles = kept.copyTo(join(assembly, 'bundles'));
  await runApp(assembly, settings, hasBundles);
  if (!hasBundles) kept.keep(join(assembly, 'bundles'));
  writeFileSync(stamp, fingerprint);
};

const mostKept = 4;

/** Bundling takes longest, and settings change nothing of it: those of the latest sources are kept for the next synthesis. */
const keptBundles = (fingerprint: string) => {
  const place = join(root, 'node_modules', '.cache', 'bundles');
  const ours = join(place, fingerprint);
  return {
    /** False: there are none. */
    copyTo: (directory: string): boolean => {
      if (!existsSync(ours)) return false;
      cpSync(ours, directory, { recursive: true });
      return true;
    },
    keep: (directory: string): void => {
      const whole = join(place, `${fingerprint}-${process.pid}`);
      cpSync(directory, whole, { recursive: true });
      if (!existsSync(ours)) renameSync(whole, ours);
      const madeMs = (name: string) => statSync(join(place, name)).mtimeMs;
      const old = readdirSync(place).sort((one, other) => madeMs(other) - madeMs(one));
      for (const name of old.slice(mostKept)) rmSync(join(place, name), { recursive: true, force: true });
    },
  };
};

const runApp = (assembly: string, settings: Readonly<Record<string, string>>, hasBundles: boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const context = JSON.stringify({ ...appContext(), ...settings, stage: 'local' });
    const child = spawn(process.execPath, ['infra/app.ts'], {
      cwd: root,
      // What CloudFormation would say of the templates is for a deployment to ask; it takes longer than all the rest.
      env: {
        ...process.env,
        CDK_OUTDIR: assembly,
        CDK_CONTEXT_JSON: context,
        CDK_VALIDATION: 'false',
        HAS_BUNDLES: String(hasBundles),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new StartFailure(`The CDK app could not be synthesized: ${gist(said)}`)),
    );
  });

/** The line of a stack trace that says what is wrong. */
const gist = (said: string): string => {
  const lines = said.split('\n').map((line) => line.trim());
  return lines.find((line) => /error/i.test(line)) ?? lines.find(Boolean) ?? 'it said nothing';
};

const appContext = (): Record<string, unknown> => JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')).context;

const contentOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const fingerprintOf = (settings: Readonly<Record<string, string>>): string => {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const file of globSync(sources, { cwd: root, exclude: ['**/*.test.ts'] }).sort())
    hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
};
