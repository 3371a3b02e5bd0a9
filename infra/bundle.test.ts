import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { bundle, sourcesOf } from './bundle.ts';
import { functionFolders, functionName } from './rows.ts';

const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const some = ['messages/get-message', 'docs/show-docs', 'contacts/get-contact', 'public/refuse-unknown-route'];

it('a bundle is identical however many others are built with it, so the local stack runs what a deployment uploads', async () => {
  const [together, apart] = [join(outdir, 'together'), join(outdir, 'apart')];
  await bundle(together, some);
  for (const does of some.toReversed()) await bundle(apart, [does]);
  for (const name of some.map(functionName)) {
    const file = join(name, `${name}.js`);
    expect(readFileSync(join(apart, file)).equals(readFileSync(join(together, file))), name).toBe(true);
  }
});

it('the sources of each bundle are known without building it', async () => {
  const known = await sourcesOf(functionFolders);
  expect(Object.keys(known)).toEqual(functionFolders.map(functionName));
  for (const [name, sources] of Object.entries(await bundle(outdir, some))) {
    expect(sources.filter((source) => !known[name]?.includes(source))).toEqual([]);
  }
});

it('the documentation is made of contracts and pages, the dashboard of its app, and neither of a handler', async () => {
  const known = await sourcesOf(['docs/show-docs', 'dashboard/show-app']);
  const sourcesNamed = (name: string) => expect.arrayContaining([expect.stringMatching(`^${name}$`)]);
  expect(known).toEqual({
    'docs-show-docs': sourcesNamed('functions/messages/get-message/contract.ts'),
    'dashboard-show-app': sourcesNamed('shared/dashboard/main.tsx'),
  });
  expect(known['docs-show-docs']).toEqual(sourcesNamed('folder:shared/docs/pages/'));
  expect(Object.values(known)).not.toContainEqual(sourcesNamed('functions/.*/handler.ts'));
});

it('a bundle has no module of which its function uses nothing', async () => {
  const { 'contacts-get-contact': sources } = await bundle(join(outdir, 'lean'), ['contacts/get-contact']);
  expect(sources).toContain('shared/contacts/contact.ts');
  expect(sources?.filter((source) => source.startsWith('shared/checkout/'))).toEqual([]);
});
