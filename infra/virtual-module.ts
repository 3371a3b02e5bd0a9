import { join } from 'node:path';
import type { OnLoadResult, Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');

/** A module that is made while functions are bundled, and imported as `virtual:{name}`. */
export interface Made {
  readonly name: string;
  /** What it exports. Each build makes it anew. */
  readonly values: () => object | Promise<object>;
  /** What it is made of, as paths from the root. All files of a folder, which ends with a slash, count. */
  readonly sources: readonly string[];
}

const prefix = 'virtual:';

/** Whether this input of a build, as its list names it, is such a module. */
export const isVirtual = (input: string): boolean => input.includes(`:${prefix}`);

/** Makes the module. */
export const making = ({ name, values }: Made): Plugin =>
  loading(name, async () => ({
    contents: Object.entries(await values())
      .map(([value, made]) => `export const ${value} = ${JSON.stringify(made)};`)
      .join('\n'),
  }));

/** What a folder is called in the list of a build's inputs, before its path. */
export const folderPrefix = 'folder:';

/** Imports what the module is made of instead, for a build that only lists sources. */
export const importingSources = ({ name, sources }: Made): Plugin =>
  loading(name, () => ({
    contents: sources.map((source) => `import '${source.endsWith('/') ? folderPrefix : './'}${source}';`).join('\n'),
    resolveDir: root,
  }));

/** Stands for a folder in the list of a build's inputs. */
export const namingFolders: Plugin = {
  name: 'naming-folders',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^${folderPrefix}`) }, ({ path }) => ({
      path: path.slice(folderPrefix.length),
      namespace: 'folder',
    }));
    onLoad({ filter: /.*/, namespace: 'folder' }, () => ({ contents: '' }));
  },
};

const loading = (name: string, load: () => OnLoadResult | Promise<OnLoadResult>): Plugin => ({
  name,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^${prefix}${name}$`) }, ({ path }) => ({ path, namespace: name }));
    onLoad({ filter: /.*/, namespace: name }, load);
  },
});
