import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import type { describeApis } from '../shared/docs/describe.ts';
import type { DescribedRoute } from '../shared/docs/openapi.ts';
import { kindOf, scopeOf } from './auth.ts';
import { type Route, routes } from './routes.ts';

type Description = ReturnType<typeof describeApis>;

const root = join(import.meta.dirname, '..');

/** The API whose reference documents this row, if any. The management of webhooks is not part of messaging's description (messaging specification, "Versioning"). */
const apiOf = (path: string, { auth, isAddition }: Route): DescribedRoute['api'] | undefined => {
  const kind = kindOf(auth);
  if (kind === 'operator') return 'operators';
  if (kind === 'checkoutKey') return 'checkout';
  if (path.startsWith('/v1/public/')) return 'payers';
  if (kind !== 'apiKey') return undefined;
  if (isAddition) return 'additions';
  return path.startsWith('/api/v1/webhooks') ? 'webhooks' : 'messaging';
};

/** The rows that the docs describe. */
export const describedRoutes = Object.entries<Route>(routes).flatMap(([key, route]) => {
  const { does, auth } = route;
  const [method = '', path = ''] = key.split(' ');
  const scope = scopeOf(auth);
  // Browsers send OPTIONS on their own; it is not documented. Documents have no contract.
  const api = method === 'OPTIONS' || does.startsWith('docs/') ? undefined : apiOf(path, route);
  return api ? { api, method, path, does, ...(scope && { scope }) } : [];
});

/** Lets a function bundle the APIs' description: `import { openapi } from 'virtual:description'`. Each build generates it from the contracts. */
export const describing: Plugin = {
  name: 'describing',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^virtual:description$/ }, ({ path }) => ({ path, namespace: 'description' }));
    onLoad({ filter: /.*/, namespace: 'description' }, async () => ({
      contents: Object.entries(await describeRoutes())
        .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};`)
        .join('\n'),
    }));
  },
};

/** Bundles the contracts instead of importing them: Node caches imports, so a later change would not show. */
export const describeRoutes = async (): Promise<Description> => {
  const imports = describedRoutes.map(
    ({ does }, i) => `import { ${contractName(does)} as contract${i} } from './functions/${does}/contract.ts';`,
  );
  const rows = describedRoutes.map((route, i) => `{ ...${JSON.stringify(route)}, contract: contract${i} }`);
  const { outputFiles } = await build({
    stdin: {
      contents: `import { describeApis } from './shared/docs/describe.ts';
${imports.join('\n')}
export const description = describeApis([${rows.join(', ')}]);`,
      resolveDir: root,
    },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'silent',
  });
  return run<{ description: Description }>(outputFiles[0]?.text ?? '').description;
};

/** `messages/get-message` exports `getMessageContract`. */
const contractName = (does: string): string =>
  `${basename(does).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Contract`;

const run = <Exports>(commonJs: string): Exports => {
  const module = { exports: {} };
  compileFunction(commonJs, ['module', 'require'])(module, createRequire(import.meta.url));
  return module.exports as Exports;
};
