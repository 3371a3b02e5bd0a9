import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import type { describeApi } from '../shared/docs/describe.ts';
import { type Route, routes } from './routes.ts';

type Description = ReturnType<typeof describeApi>;

const root = join(import.meta.dirname, '..');
const server = '/api/v1';

/** The rows that the description covers: what API keys open, except the management of webhooks (specification, "Versioning"). */
export const describedRoutes = Object.entries<Route>(routes).flatMap(([key, { does, scope }]) => {
  const [method = '', path = ''] = key.split(' ');
  const isDescribed = scope && path.startsWith(`${server}/`) && !path.startsWith(`${server}/webhooks`);
  return isDescribed ? { method, path: path.slice(server.length), does, scope } : [];
});

/** Lets a function carry what is told about the API: `import { openapi } from 'virtual:description'`, made anew of the contracts each time. */
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

/** The contracts are bundled, not imported: an import would give the first version again after every change. */
export const describeRoutes = async (): Promise<Description> => {
  const imports = describedRoutes.map(
    ({ does }, i) => `import { ${contractName(does)} as contract${i} } from './functions/${does}/contract.ts';`,
  );
  const rows = describedRoutes.map((route, i) => `{ ...${JSON.stringify(route)}, contract: contract${i} }`);
  const { outputFiles } = await build({
    stdin: {
      contents: `import { describeApi } from './shared/docs/describe.ts';
${imports.join('\n')}
export const description = describeApi([${rows.join(', ')}]);`,
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
