import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import MagicString from 'magic-string';
import { type Program, parseSync, Visitor } from 'oxc-parser';

// A module has schemas for several functions, and what the documentation says of them. esbuild keeps each constant whose making calls something,
// so that every start of a function would make all of them.

/** What is made without a call. */
const simple = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'Literal', 'Identifier']);

/** Says of each constant of a module that nothing but its value comes of making it. */
const markPure = (edited: MagicString, { body }: Program): void => {
  const made = body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .flatMap((declared) => (declared?.type === 'VariableDeclaration' ? declared.declarations : []))
    .flatMap(({ id, init }) => (id.type === 'Identifier' && init && !simple.has(init.type) ? [init] : []));
  for (const { start, end } of made) edited.appendRight(start, '/* @__PURE__ */ (() => (').appendLeft(end, '))()');
};

/** Methods of a schema that give the same schema with a text about it. */
const documenting = new Set(['describe', 'meta']);

const removeTexts = (edited: MagicString, program: Program): void =>
  new Visitor({
    CallExpression: ({ callee, arguments: { length }, end }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (length === 1 && documenting.has(callee.property.name)) edited.remove(callee.object.end, end);
    },
  }).visit(program);

/** The code of a module as functions need it, with its source map if one is wanted: making it takes as long as the rest. */
export const asFunctionsNeed = (path: string, code: string, isMapped: boolean): string => {
  const { program } = parseSync(path, code);
  const edited = new MagicString(code);
  markPure(edited, program);
  removeTexts(edited, program);
  if (!isMapped) return edited.toString();
  const map = edited.generateMap({ source: path, hires: 'boundary' });
  return `${edited.toString()}\n//# sourceMappingURL=${map.toUrl()}`;
};

/** The latest of each module, without maps: the functions are bundled in lots, which share most modules. */
const latest = new Map<string, { readonly code: string; readonly contents: string }>();

const contentsOf = (path: string, isMapped: boolean): string => {
  const code = readFileSync(path, 'utf8');
  if (isMapped) return asFunctionsNeed(path, code, true);
  const known = latest.get(path);
  if (known?.code === code) return known.contents;
  const contents = asFunctionsNeed(path, code, false);
  latest.set(path, { code, contents });
  return contents;
};

/** Leaves what a function does not use out of its bundle. */
export const leavingUnused: Plugin = {
  name: 'leaving-unused',
  // Packages come as JavaScript.
  setup: ({ onLoad, initialOptions: { sourcemap } }) => {
    const isMapped = Boolean(sourcemap);
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({ contents: contentsOf(path, isMapped), loader: 'ts' }));
  },
};
