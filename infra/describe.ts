import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { describeApis } from '../shared/docs/describe.ts';
import type { DescribedRoute } from '../shared/docs/openapi.ts';
import type { SiteSources } from '../shared/docs/site.ts';
import { kindOf, scopeOf } from './auth.ts';
import { isPublicCheckout, isWebhookManagement, type Route, routes } from './routes.ts';
import type { Made } from './virtual-module.ts';

type Description = ReturnType<typeof describeApis>;

const root = join(import.meta.dirname, '..');

/** The API whose reference documents this row, if any. The management of webhooks is not part of messaging's description (messaging specification, "Versioning"). */
const apiOf = (path: string, { auth, isAddition }: Route): DescribedRoute['api'] | undefined => {
  const kind = kindOf(auth);
  if (kind === 'role') return 'operators';
  if (kind === 'checkoutKey') return 'checkout';
  if (isPublicCheckout(path)) return 'payers';
  if (kind !== 'apiKey') return undefined;
  if (isAddition) return 'additions';
  return isWebhookManagement(path) ? 'webhooks' : 'messaging';
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

/** Bundles the contracts instead of importing them: Node caches imports, so a later change would not show. */
export const describeRoutes = async (): Promise<Description> => {
  const imports = describedRoutes.map(
    ({ does }, i) => `import { ${contractName(does)} as contract${i} } from './${contractFile(does)}';`,
  );
  const rows = describedRoutes.map((route, i) => `{ ...${JSON.stringify(route)}, contract: contract${i} }`);
  const [{ outputFiles }, sources] = await Promise.all([
    build({
      stdin: {
        contents: `import { describeApis } from './${describer}';
${imports.join('\n')}
export const describe = (sources, compress) => describeApis([${rows.join(', ')}], sources, compress);`,
        resolveDir: root,
      },
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'cjs',
      write: false,
      logLevel: 'silent',
    }),
    siteSources(),
  ]);
  const code = outputFiles[0]?.text ?? '';
  const of = JSON.stringify([code, sources]);
  if (latest?.of !== of) latest = { of, description: descriptionOf(code, sources) };
  return latest.description;
};

/** The latest description, which follows from these texts. Making it takes three times as long as bundling its contracts. */
let latest: { readonly of: string; readonly description: Description } | undefined;

const descriptionOf = (code: string, sources: SiteSources): Description => {
  const compress = (text: string): string => gzipSync(text, { level: 9 }).toString('base64');
  const { describe } = run<{ describe(...given: [SiteSources, typeof compress]): Description }>(code);
  return describe(sources, compress);
};

const describer = 'shared/docs/describe.ts';
const siteFiles = ['docs.css', 'docs.ts'].map((file) => join('shared/docs/browser', file));
const pagesFolder = 'shared/docs/pages/';

/** The guides, and the style sheet and script of the documentation for browsers. */
const siteSources = async (): Promise<SiteSources> => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: siteFiles,
    outdir: 'out',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  // Editors keep files of their own beside pages.
  const pages = readdirSync(join(root, pagesFolder)).filter((file) => /^[a-z0-9-]+\.md$/.test(file));
  const guides = pages.map((file) => [basename(file, '.md'), readFileSync(join(root, pagesFolder, file), 'utf8')]);
  return { guides: Object.fromEntries(guides), style: textOf('.css'), script: textOf('.js') };
};

const contractFile = (does: string): string => `functions/${does}/contract.ts`;

/** Lets a function bundle the APIs' description: `import { files } from 'virtual:description'`, generated from the contracts. */
export const describing: Made = {
  name: 'description',
  values: async () => {
    const { openapiAdmin, files } = await describeRoutes();
    return { openapiAdmin, files };
  },
  sources: [...describedRoutes.map(({ does }) => contractFile(does)), describer, ...siteFiles, pagesFolder],
};

/** `messages/get-message` exports `getMessageContract`. */
const contractName = (does: string): string =>
  `${basename(does).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Contract`;

const run = <Exports>(commonJs: string): Exports => {
  const module = { exports: {} };
  compileFunction(commonJs, ['module', 'require'])(module, createRequire(import.meta.url));
  return module.exports as Exports;
};
