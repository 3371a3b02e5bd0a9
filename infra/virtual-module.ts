import type { Plugin } from 'esbuild';

/** A module `virtual:{name}` that exports these values; each build makes them anew. */
export const virtualModule = (name: string, values: () => object | Promise<object>): Plugin => ({
  name,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^virtual:${name}$`) }, ({ path }) => ({ path, namespace: name }));
    onLoad({ filter: /.*/, namespace: name }, async () => ({
      contents: Object.entries(await values())
        .map(([value, made]) => `export const ${value} = ${JSON.stringify(made)};`)
        .join('\n'),
    }));
  },
});
