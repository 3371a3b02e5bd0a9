import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { expectTableIn } from './document-table.ts';

interface Room {
  readonly name: string;
  /** What is in it, for the document of the architecture. */
  readonly holds: string;
  /** The rooms that it may import, beside itself. */
  readonly may: readonly string[];
  /** The rooms that it may import types of. */
  readonly types?: readonly string[];
  /** Its files, where these are not all below its name. */
  readonly files?: RegExp;
}

const rules: readonly Room[] = [
  { name: 'shared/accounts', holds: 'accounts, their keys, credits and settings', may: ['shared/kit'] },
  { name: 'shared/messages', holds: 'messages and their statuses', may: ['shared/kit', 'shared/accounts'] },
  { name: 'shared/contacts', holds: 'contacts and their search', may: ['shared/kit', 'shared/messages'] },
  { name: 'shared/templates', holds: 'templates', may: ['shared/kit', 'shared/messages'] },
  { name: 'shared/analytics', holds: 'counts by the hour', may: ['shared/kit', 'shared/accounts', 'shared/messages'] },
  {
    name: 'shared/webhooks',
    holds: 'subscriptions, deliveries, signatures',
    may: ['shared/kit', 'shared/accounts', 'shared/messages'],
  },
  {
    name: 'shared/checkout',
    holds: 'sessions, payments, refunds, the hosted page',
    may: ['shared/kit', 'shared/messages', 'shared/webhooks'],
  },
  {
    name: 'shared/notices',
    holds: 'what merchants, payers and admins are notified of',
    may: ['shared/kit', 'shared/checkout'],
  },
  {
    name: 'shared/transfers',
    holds: 'imports, exports and their CSV files',
    may: ['shared/kit', 'shared/messages', 'shared/contacts'],
  },
  {
    name: 'shared/chores',
    holds: 'rare work in the background: jobs, and where lost work lies',
    may: ['shared/kit', 'shared/accounts', 'shared/messages', 'shared/webhooks', 'shared/transfers'],
  },
  {
    name: 'shared/people',
    holds: 'who may use the dashboard: roles, sessions, members, operator tokens',
    may: ['shared/kit', 'shared/messages'],
  },
  {
    name: 'shared/compliance',
    holds: 'accepting a message: the gate, consent, quiet hours, caps, spam',
    may: ['shared/kit', 'shared/accounts', 'shared/messages', 'shared/contacts', 'shared/templates'],
  },
];
const ruleNames = rules.map(({ name }) => name);

/** From the bottom up: a room imports rooms above it in this list, never one below. */
const rooms: readonly Room[] = [
  { name: 'shared/kit', holds: 'faults, ids, time, JSON, logs: nothing of the product', may: [] },
  ...rules,
  { name: 'shared/http', holds: 'the only place where HTTP exists', may: ['shared/kit', 'shared/people'] },
  { name: 'shared/aws', holds: 'calls of AWS: retries, queues, schedules, keys', may: ['shared/kit'] },
  { name: 'shared/work', holds: 'the only place where SQS and streams exist', may: ['shared/kit', 'shared/aws'] },
  {
    name: 'shared/table',
    holds: 'stores: the DynamoDB table, by subject',
    may: ['shared/kit', ...ruleNames, 'shared/aws'],
  },
  {
    name: 'shared/providers',
    holds: 'adapters: email, texts, payment gateways, webhook targets',
    may: ['shared/kit', ...ruleNames, 'shared/aws'],
    types: ['shared/table'],
  },
  {
    name: 'shared/docs',
    holds: 'the reference pages and OpenAPI, printed from the contracts',
    may: ['shared/kit', ...ruleNames, 'shared/http'],
  },
  {
    name: 'shared/client',
    holds: 'the typed client of the three APIs, generated from their descriptions',
    may: ['shared/docs'],
  },
  {
    name: 'shared/dashboard',
    holds: 'the dashboard: a Preact app that runs in the browser',
    may: ['shared/kit', 'shared/messages', 'shared/checkout', 'shared/transfers', 'shared/client'],
  },
  {
    name: 'shared/live.ts',
    holds: 'the real things by name; the stores among them are listed in `stores.ts`',
    may: ['shared/kit', ...ruleNames, 'shared/aws', 'shared/table', 'shared/providers'],
    files: /^shared\/(live|stores|connection)\.ts$/,
  },
  {
    name: 'shared/callers.ts',
    holds: 'the surfaces that let callers in, made of the real things',
    may: ['shared/http', 'shared/live.ts'],
    types: ['shared/accounts'],
  },
  {
    name: 'functions/*/*/main.ts',
    holds: 'wiring, one statement',
    may: ['shared/kit', ...ruleNames, 'shared/http', 'shared/work', 'shared/live.ts'],
    files: /^functions\/.*\/main\.ts$/,
  },
  {
    name: 'functions/*/*/contract.ts',
    holds: 'what an endpoint takes and gives; may import other contracts',
    may: ['shared/kit', ...ruleNames, 'shared/http'],
    files: /^functions\/.*\/contract\.ts$/,
  },
  {
    name: 'functions/*/*',
    holds: 'what happens; imports of functions are from their own folder',
    may: ['shared/kit', ...ruleNames],
    types: ['shared/http', 'shared/work', 'shared/table', 'shared/aws', 'shared/providers'],
    files: /^functions\//,
  },
  {
    name: 'infra',
    holds: 'what exists: the two tables, powers (the only file that grants), stacks',
    may: ['shared/kit', 'shared/aws', 'shared/table'],
    types: ['shared/accounts', 'shared/http', 'shared/work', 'shared/callers.ts', 'shared/docs'],
    files: /^infra\/(stacks\/)?[^/]+$/,
  },
  {
    name: 'infra/local',
    holds: 'runs the synthesized templates on this machine',
    may: ['infra', 'shared/kit', 'shared/webhooks', 'shared/people', 'shared/aws', 'shared/table'],
  },
  {
    name: 'infra/operators',
    holds: '`npm run operators`',
    may: ['infra', 'infra/local', 'shared/kit', 'shared/people', 'shared/aws', 'shared/table'],
  },
  { name: 'infra/doctor', holds: '`npm run doctor`', may: ['infra', 'infra/local'] },
  {
    name: 'infra/replay',
    holds: '`npm run replay`',
    may: ['infra', 'infra/local', 'infra/doctor', 'shared/kit', 'shared/aws'],
  },
  { name: 'infra/sending', holds: '`npm run sending`', may: ['infra', 'infra/local', 'infra/doctor'] },
  {
    name: 'infra/rotate-keys',
    holds: '`npm run rotate-keys`',
    may: ['infra/local', 'infra/operators', 'shared/kit', 'shared/aws', 'shared/table'],
  },
  {
    name: 'infra/spread',
    holds: '`npm run spread`',
    may: ['infra/local', 'infra/operators', 'functions/*/*/contract.ts', 'functions/*/*', 'shared/kit', 'shared/table'],
  },
  {
    name: 'infra/restore',
    holds: '`npm run restore`',
    may: ['infra/local', 'infra/operators', 'shared/kit', 'shared/messages', 'shared/table'],
  },
  {
    name: 'infra/person',
    holds: '`npm run person`',
    may: [
      'infra',
      'infra/local',
      'infra/operators',
      'infra/replay',
      'shared/kit',
      'shared/messages',
      'shared/people',
      'shared/aws',
      'shared/table',
    ],
  },
  { name: 'infra/trace', holds: '`npm run trace`', may: ['infra', 'infra/local', 'infra/operators', 'shared/kit'] },
  { name: 'infra/new', holds: '`npm run new`', may: ['infra', 'infra/local', 'shared/people'] },
];

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isType: boolean;
}

/** The forms of an import: a statement, one without names, and an expression or type. */
const forms = [
  /^(?:import|export)\s+(?<type>type\s)?[^;]*?from\s+['"](?<path>\.[^'"$]+)['"]/gms,
  /^import\s+['"](?<path>\.[^'"$]+)['"]/gm,
  /import\(\s*['"`](?<path>\.[^'"`$]+)['"`]/gm,
];

const importsOf = (file: string, text: string): Import[] =>
  forms.flatMap((form) =>
    [...text.matchAll(form)].map(({ groups = {} }) => ({
      file,
      target: normalize(join(dirname(file), groups['path'] ?? '')),
      isType: groups['type'] !== undefined,
    })),
  );

const sources = globSync('{infra,functions,shared}/**/*.{ts,tsx}').filter((file) => !/\.test\.ts$|fixture/.test(file));
/** A path that leaves the repository is in the text of a file that `npm run new` writes. */
const imports = sources
  .flatMap((file) => importsOf(file, readFileSync(file, 'utf8')))
  .filter(({ target }) => !target.startsWith('..'));

const roomOf = (file: string): Room | undefined =>
  rooms.find(({ name, files }) => (files ? files.test(file) : file === name || file.startsWith(`${name}/`)));

/** The files of a circle of imports, the first one repeated at the end. */
const circleIn = (graph: ReadonlyMap<string, readonly string[]>): string[] => {
  const done = new Set<string>();
  const search = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    const circle = (graph.get(file) ?? [])
      .map((next) => search(next, [...path, file]))
      .find(({ length }) => length > 0);
    done.add(file);
    return circle ?? [];
  };
  return [...graph.keys()].map((file) => search(file, [])).find(({ length }) => length > 0) ?? [];
};

const graphOf = (all: readonly Import[]) =>
  new Map([...Map.groupBy(all, ({ file }) => file)].map(([file, those]) => [file, those.map(({ target }) => target)]));

it('every form of an import is found, and whether its statement is of types', () => {
  const text = [
    `import { a } from './a.ts';`,
    `import type { B } from './b.ts';`,
    `import { type C, c } from './c.ts';`,
    `export { d } from './d.ts';`,
    `export type * from './e.ts';`,
    `import './f.ts';`,
    `const g = await import('./g.ts');`,
    `export const h: import('./h.ts').H = 1;`,
  ].join('\n');
  const found = importsOf('x/y.ts', text).sort((one, other) => one.target.localeCompare(other.target));
  expect(found.map(({ target, isType }) => `${target} ${isType}`)).toEqual([
    'x/a.ts false',
    'x/b.ts true',
    'x/c.ts false',
    'x/d.ts false',
    'x/e.ts true',
    'x/f.ts false',
    'x/g.ts false',
    'x/h.ts false',
  ]);
  expect(imports.length).toBeGreaterThan(1_000);
});

it('every source is in a room', () => {
  expect(sources.filter((file) => !roomOf(file))).toEqual([]);
});

it('a room may import rooms above it in the list only, so rooms have no circle', () => {
  const names = rooms.map(({ name }) => name);
  const wrong = rooms.flatMap(({ name, may, types = [] }, i) =>
    [...may, ...types].filter((each) => !names.slice(0, i).includes(each)).map((each) => `${name} → ${each}`),
  );
  expect(wrong).toEqual([]);
});

it('a file imports its own folder, its own room and the rooms that it may', () => {
  const strays = imports.filter(({ file, target, isType }) => {
    if (dirname(target) === dirname(file)) return false;
    const [from, to] = [roomOf(file), roomOf(target)];
    // An endpoint may take or give what another one does.
    if (from === to) return file.startsWith('functions/') && !file.endsWith('/contract.ts');
    return !from || !to || ![...from.may, ...(isType ? (from.types ?? []) : [])].includes(to.name);
  });
  expect(strays.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
});

it('no files import each other in a circle, types included', () => {
  expect(circleIn(graphOf(imports)).join(' → ')).toBe('');
  const circle = ['a → b', 'b → c', 'c → b'].map((pair) => pair.split(' → '));
  const graph = graphOf(circle.map(([file = '', target = '']) => ({ file, target, isType: true })));
  expect(circleIn(graph)).toEqual(['b', 'c', 'b']);
});

it('only main.ts and the callers import the real things', () => {
  const strays = imports.filter(
    ({ file, target }) =>
      roomOf(target)?.name === 'shared/live.ts' &&
      roomOf(file)?.name !== 'shared/live.ts' &&
      (target !== 'shared/live.ts' || !(file.endsWith('/main.ts') || file === 'shared/callers.ts')),
  );
  expect(strays).toEqual([]);
});

it('a function gets its callers from its row alone', () => {
  const strays = imports.filter(
    ({ file, target }) => file.endsWith('/main.ts') && /(callers|surface|\/cors)\.ts$/.test(target),
  );
  expect(strays).toEqual([]);
});

/** `kit, rules, aws`: without `shared/`, and the rooms of rules as one word. */
const listOf = (names: readonly string[]): string => {
  const hasAllRules = ruleNames.every((name) => names.includes(name));
  const shown = hasAllRules
    ? names.flatMap((name) => (name === ruleNames[0] ? 'rules' : ruleNames.includes(name) ? [] : name))
    : names;
  return shown.map((name) => name.replace('shared/', '')).join(', ');
};

it('the document of the architecture shows the rooms as they are', () => {
  const rows = rooms.map(({ name, holds, may, types = [] }) => {
    const asTypes = types.length > 0 ? `types of ${listOf(types)}` : '';
    return `| \`${name}\` | ${ruleNames.includes(name) ? 'rules: ' : ''}${holds} | ${[listOf(may), asTypes].filter(Boolean).join('; ')} |`;
  });
  expectTableIn('infra/ARCHITECTURE.md', '| room | what is in it | may import |', rows);
});
