import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

// Tables that few events need and every start would load: each lies in a file beside the bundle, which the first use of it loads.

const tables =
  /[\\/](nodemailer[\\/]dist[\\/]esm[\\/]mime-funcs[\\/]mime-types|libphonenumber-js[\\/]metadata\.(min|mobile)\.json)\.js$/;

const fileNameOf = (path: string): string => `${basename(path, '.js').replaceAll('.', '-')}.js`;

/** The code of a module whose functions, and the parts of whose objects, load the file when they are used. */
const lateCode = (path: string, exports: Readonly<Record<string, unknown>>): string => {
  const lines = Object.entries(exports).map(([name, value], n) => {
    const late = `load()[${JSON.stringify(name)}]`;
    const parts = Object.keys(Object(value)).map((part) => `get ${part}() { return ${late}.${part}; },`);
    const made = typeof value === 'function' ? `(...given) => ${late}(...given)` : `{ ${parts.join(' ')} }`;
    return `const late${n} = ${made}; export { late${n} as ${name} };`;
  });
  return [`let loaded; const load = () => (loaded ??= require('./${fileNameOf(path)}'));`, ...lines].join('\n');
};

/** Puts the tables of bundles into files beside them. */
export const loadingLate: Plugin = {
  name: 'loading-late',
  setup: ({ onLoad, onResolve, onEnd, initialOptions }) => {
    const { plugins: _, stdin: __, ...options } = initialOptions;
    const { absWorkingDir: root = '.', write = true } = options;
    onLoad({ filter: tables }, async ({ path }) => ({
      contents: lateCode(path, await import(pathToFileURL(path).href)),
    }));
    onResolve({ filter: /^\.\// }, ({ path, importer }) =>
      tables.test(importer) ? { path, external: true } : undefined,
    );
    onEnd(async ({ metafile }) => {
      const uses = Object.entries(metafile?.outputs ?? {}).flatMap(([output, { inputs }]) =>
        Object.keys(inputs).flatMap((input) => (tables.test(input) ? [{ output, input }] : [])),
      );
      for (const [input, users] of write ? Map.groupBy(uses, (use) => use.input) : []) {
        const { outputFiles } = await build({
          ...options,
          entryPoints: [input],
          metafile: false,
          sourcemap: false,
          write: false,
        });
        for (const { output } of users)
          writeFileSync(join(root, dirname(output), fileNameOf(input)), outputFiles[0]?.text ?? '');
      }
    });
  },
};
