import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { once } from '../shared/kit/once.ts';
import { bundle, sourcesOf } from './bundle.ts';
import { functionFolders, functionName } from './rows.ts';

const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const some = ['messages/get-message', 'docs/show-docs', 'contacts/get-contact', 'public/refuse-unknown-route'];

const together = join(outdir, 'together');
/** The sources of each of some bundles that are built together. */
const bundled = once(() => bundle(together, some));

it('a bundle is identical however many others are built with it, and with maps or without, so the local stack runs what a deployment uploads', async () => {
  const apart = join(outdir, 'apart');
  await bundled();
  const [first, second, mapped] = ['messages/get-message', 'docs/show-docs', 'public/refuse-unknown-route'] as const;
  for (const does of [first, second]) await bundle(apart, [does]);
  await bundle(apart, [mapped], join(outdir, 'maps'));
  for (const name of [first, second, mapped].map(functionName)) {
    const file = join(name, `${name}.js`);
    expect(readFileSync(join(apart, file)).equals(readFileSync(join(together, file))), name).toBe(true);
  }
});

/** The sources of each function that are known without building it. */
const knownSources = once(() => sourcesOf(functionFolders));

it('the sources of each bundle are known without building it', async () => {
  const known = await knownSources();
  expect(Object.keys(known)).toEqual(functionFolders.map(functionName));
  for (const [name, sources] of Object.entries(await bundled())) {
    expect(sources.filter((source) => !known[name]?.includes(source))).toEqual([]);
  }
});

it('the documentation is made of contracts and pages, the dashboard of its app, and neither of a handler', async () => {
  const { 'docs-show-docs': docs = [], 'dashboard-show-app': app = [] } = await knownSources();
  const sourcesNamed = (name: string) => expect.arrayContaining([expect.stringMatching(`^${name}$`)]);
  expect(docs).toEqual(sourcesNamed('functions/messages/get-message/contract.ts'));
  expect(docs).toEqual(sourcesNamed('folder:shared/docs/pages/'));
  expect(app).toEqual(sourcesNamed('shared/dashboard/main.tsx'));
  expect([docs, app]).not.toContainEqual(sourcesNamed('functions/.*/handler.ts'));
});

it('a bundle has no module of which its function uses nothing', async () => {
  const { 'contacts-get-contact': sources } = await bundled();
  expect(sources).toContain('shared/contacts/contact.ts');
  expect(sources?.filter((source) => source.startsWith('shared/checkout/'))).toEqual([]);
});

it('a bundle loads TLS only when it calls a service that has it, which those of the local stack do not', async () => {
  await bundled();
  const text = readFileSync(join(together, 'messages-get-message', 'messages-get-message.js'), 'utf8');
  const loaded = [...text.matchAll(/require\("(node:\w+)"\)/g)].map(([, name]) => name);
  expect(loaded).toContain('node:crypto');
  expect(loaded).not.toContain('node:https');
});
