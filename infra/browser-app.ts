import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import type { AppFile } from '../shared/http/app-files.ts';
import type { Made } from './virtual-module.ts';

const root = join(import.meta.dirname, '..');
const folder = 'shared/dashboard';
const entries = ['main.tsx', 'dashboard.css', 'frame.ts'].map((name) => join(folder, name));
const served = '/dashboard/assets';

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' };

/** The files of the dashboard as browsers get them: minified, compressed, named by their content. */
export const buildDashboard = async (): Promise<{
  readonly page: string;
  readonly frame: string;
  readonly files: Readonly<Record<string, AppFile>>;
  /** What a browser loads before it shows anything: names of `files`. */
  readonly firstView: readonly string[];
}> => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: served,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const files = Object.fromEntries(
    outputFiles.map(({ path, contents }): [string, AppFile] => [
      nameIn(path),
      {
        type: types[path.slice(path.lastIndexOf('.') + 1)] ?? '',
        brotli: brotliCompressSync(contents).toString('base64'),
      },
    ]),
  );
  const entry = (source: string) => entryOf(metafile, join(folder, source));
  const [main, style, frame] = [entry('main.tsx'), entry('dashboard.css'), entry('frame.ts')];
  const parts = (metafile.outputs[main]?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
  const early = parts.map(({ path }) => path);
  return {
    page: pageOf(main, style, early),
    frame: frameOf(frame),
    files,
    firstView: [main, style, ...early].map(nameIn),
  };
};

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const entryOf = ({ outputs }: Metafile, source: string): string =>
  Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? '';

const urlOf = (path: string): string => `${served}/${nameIn(path)}`;

const pageOf = (main: string, style: string, early: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Dashboard</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="${urlOf(style)}">
${early.map((path) => `<link rel="modulepreload" href="${urlOf(path)}">\n`).join('')}<script type="module" src="${urlOf(main)}"></script>
</head>
<body>
<div id="app"><p class="late">If nothing else appears here, the page did not load. <a href="">Load it again</a></p></div>
<noscript><p>The dashboard requires JavaScript.</p></noscript>
</body>
</html>
`;

const frameOf = (script: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Preview</title><script src="${urlOf(script)}"></script></head><body></body></html>\n`;

/** Lets a function bundle the dashboard: `import { files, frame, page } from 'virtual:dashboard'`. */
export const bundlingDashboard: Made = {
  name: 'dashboard',
  values: async () => {
    const { page, frame, files } = await buildDashboard();
    return { page, frame, files };
  },
  sources: entries,
};
