import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { lettingIn } from '../../infra/callers.ts';
import { routing } from '../../infra/outbox.ts';
import { making } from '../../infra/virtual-module.ts';
import type * as inside from './inside.ts';

const root = join(import.meta.dirname, '../..');

/** A change of the sources that makes them wrong, to see that the simulation finds it. */
export interface Mutation {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** The code of the product, with makers of its handlers: each instance of a function makes its own. */
export interface Code {
  readonly inside: typeof inside;
  readonly functions: Readonly<Record<string, () => Handler>>;
}

/** What the code gets instead of the world: modules by name, and globals. */
export interface Surroundings {
  readonly modules: Readonly<Record<string, unknown>>;
  readonly globals: Readonly<Record<string, unknown>>;
}

/** Own modules that are replaced: they keep state between calls, open connections, or take real time. */
const replaced: Readonly<Record<string, string>> = {
  'shared/kit/once.ts': 'simulated:once',
  'shared/providers/http/pinned-request.ts': 'simulated:pinned-request',
  'shared/providers/email/mime.ts': 'simulated:mime',
  'shared/aws/sns-messages.ts': 'simulated:sns-messages',
  'shared/aws/aws-service.ts': 'simulated:aws-service',
  'shared/aws/signed-post.ts': 'simulated:signed-post',
  'shared/providers/email/ses-call.ts': 'simulated:ses-call',
  'shared/aws/dynamodb.ts': 'simulated:dynamodb',
};

const changed = (text: string, file: string, { find, replace, file: where }: Mutation): string => {
  if (file !== where) return text;
  if (text.split(find).length !== 2) throw new Error(`${file} does not have this once: ${find}`);
  return text.replace(find, () => replace);
};

/** Matches the paths that end in one of these names: esbuild asks about those only, because each question takes time. */
const endingIn = (files: readonly string[]): RegExp =>
  new RegExp(`/(?:${files.map((file) => basename(file, '.ts')).join('|')})\\.ts$`);

const simulating = (mutations: readonly Mutation[]): Plugin => ({
  name: 'simulating',
  setup: ({ onResolve, onLoad, resolve }) => {
    onResolve({ filter: endingIn(Object.keys(replaced)) }, async ({ path, pluginData, ...asked }) => {
      if (pluginData === 'asked') return undefined;
      const found = await resolve(path, { ...asked, pluginData: 'asked' });
      const name = replaced[found.path.slice(root.length + 1)];
      return name === undefined ? found : { path: name, external: true };
    });
    onLoad({ filter: endingIn(['main.ts', ...mutations.map(({ file }) => file)]) }, ({ path }) => {
      const file = path.slice(root.length + 1);
      const text = mutations.reduce((before, mutation) => changed(before, file, mutation), readFileSync(path, 'utf8'));
      const isEntry = file.startsWith('functions/') && file.endsWith('/main.ts');
      return {
        contents: isEntry ? text.replace('export const handler =', 'export const handler = () =>') : text,
        loader: 'ts',
      };
    });
  },
});

/** Bundles functions by their folders. Returns what loads them into surroundings. */
export const bundleFunctions = async (folders: readonly string[], mutations: readonly Mutation[] = []) => {
  const imports = folders.map((does, n) => `import { handler as f${n} } from './functions/${does}/main.ts';`);
  const names = folders.map((does, n) => `'${does}': f${n}`);
  const contents = [
    ...imports,
    "export * as inside from './test/simulation/inside.ts';",
    `export const functions = { ${names.join(', ')} };`,
  ].join('\n');
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    external: ['zod', 'libphonenumber-js', '@aws-sdk/*', '@smithy/*', 'nodemailer'],
    plugins: [lettingIn, making(routing), simulating(mutations)],
    logLevel: 'warning',
  });
  const text = outputFiles[0]?.text ?? '';
  const requireReal = createRequire(import.meta.url);

  return ({ modules, globals }: Surroundings): Code => {
    const require = (name: string): unknown => modules[name] ?? requireReal(name);
    const module = { exports: {} };
    new Function('require', 'module', 'exports', ...Object.keys(globals), text)(
      require,
      module,
      module.exports,
      ...Object.values(globals),
    );
    return module.exports as Code;
  };
};
