import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { type Auth, kindOf } from './auth.ts';
import { keysOf, type Route, routes, unknownRoute } from './routes.ts';
import { functionName } from './rows.ts';
import { workers } from './workers.ts';

const root = join(import.meta.dirname, '..');

/** A row of one of the two tables. */
interface Row {
  /** How its table calls it. */
  readonly name: string;
  readonly does: string;
  readonly needs: readonly string[];
  /** Of a route. */
  readonly auth?: Auth;
  readonly memoryMegabytes?: number;
  readonly reservedPercent?: number;
}

const allRows: readonly Row[] = [
  ...Object.entries<Route>(routes).map(([name, route]) => ({ name, ...route })),
  { name: 'the unknown route', ...unknownRoute },
  ...workers.map(({ does, needs }, i) => ({ name: `worker ${i + 1}`, does, needs })),
];

/** What a `main.ts` is made with, by its file in `shared/http`, and the callers that each may serve. */
const entries: Readonly<Record<string, readonly ReturnType<typeof kindOf>[]>> = {
  endpoint: ['apiKey', 'checkoutKey', 'role', 'payer', 'public'],
  'checkout-page': ['payer', 'payerToken'],
  callback: ['provider'],
  page: ['public'],
  site: ['public'],
  guarded: ['role'],
  browser: ['public'],
  form: ['public'],
  'app-files': ['public'],
};

const pairsOf = <T>(all: readonly T[]): (readonly [T, T])[] =>
  all.flatMap((one, i) => all.slice(i + 1).map((other) => [one, other] as const));

const missingFolders = (rows: readonly Row[], mains: ReadonlyMap<string, string>): string[] =>
  rows.flatMap(({ name, does }) => (mains.has(does) ? [] : [`${name}: functions/${does}/main.ts does not exist`]));

const missingRows = (rows: readonly Row[], mains: ReadonlyMap<string, string>): string[] => {
  const named = new Set(rows.map(({ does }) => does));
  const unnamed = [...mains.keys()].filter((does) => !named.has(does));
  return unnamed.map((does) => `functions/${does} has no row in infra/routes.ts or infra/workers.ts`);
};

const collisions = (rows: readonly Row[]): string[] =>
  pairsOf([...new Set(rows.map(({ does }) => does))])
    .filter(([one, other]) => functionName(one) === functionName(other))
    .map(([one, other]) => `functions/${one} and functions/${other} would both be named ${functionName(one)}`);

/** One folder is one function, so its rows agree in all that the function is built of. */
const differences = (rows: readonly Row[]): string[] =>
  pairsOf(rows)
    .filter(([one, other]) => one.does === other.does)
    .flatMap(([one, other]) => {
      const place = `${one.name} and ${other.name} share functions/${one.does}`;
      if (!one.auth || !other.auth) return [`${place}, but a worker has a folder of its own`];
      const parts = {
        auth: (row: Row) => row.auth,
        needs: (row: Row) => [...row.needs].sort(),
        memoryMegabytes: (row: Row) => row.memoryMegabytes,
        reservedPercent: (row: Row) => row.reservedPercent,
      };
      const differing = Object.entries(parts).filter(
        ([, part]) => JSON.stringify(part(one)) !== JSON.stringify(part(other)),
      );
      return differing.length > 0 ? [`${place}, but differ in ${differing.map(([part]) => part).join(' and ')}`] : [];
    });

/** Only the row states who may call: a `main.ts` reads it, or is built for one kind of caller. */
const contradictions = (rows: readonly Row[], mains: ReadonlyMap<string, string>): string[] =>
  rows.flatMap(({ name, does, auth }) => {
    const main = mains.get(does);
    if (!auth || main === undefined) return [];
    const made = [...main.matchAll(/shared\/http\/([\w-]+)\.ts'/g)].map(([, file = '']) => file);
    const entry = made.find((file) => file in entries);
    const place = `${name}: functions/${does}/main.ts`;
    if (!entry) return [`${place} is made with none of ${Object.keys(entries).join(', ')}`];
    const kind = kindOf(auth);
    if (!entries[entry]?.includes(kind))
      return [`${place} is made with ${entry}, which does not serve the auth ${kind}`];
    const asks = main.includes(`callersOf('${does}')`);
    return asks || !['endpoint', 'checkout-page', 'guarded'].includes(entry)
      ? []
      : [`${place} does not ask callersOf('${does}')`];
  });

/** The quota of API Gateway, which AWS raises on request. */
const mostRoutes = 300;

const tooMany = (rows: readonly Row[]): string[] => {
  const { length } = rows.filter(({ auth }) => auth).flatMap(({ name }) => keysOf(name));
  return length > mostRoutes ? [`API Gateway takes ${mostRoutes} routes, and infra/routes.ts makes ${length}`] : [];
};

/** What is wrong with the rows. `mains`: the text of each `main.ts`, by its folder. */
export const mistakesIn = (rows: readonly Row[], mains: ReadonlyMap<string, string>): string[] => [
  ...missingFolders(rows, mains),
  ...missingRows(rows, mains),
  ...collisions(rows),
  ...tooMany(rows),
  ...differences(rows),
  ...contradictions(rows, mains),
];

/** What is wrong with the two tables and the folders as they are. */
export const currentMistakes = (): string[] => {
  const files = globSync('functions/**/main.ts', { cwd: root });
  const folderOf = (file: string) => relative('functions', dirname(file)).replaceAll(sep, '/');
  return mistakesIn(allRows, new Map(files.map((file) => [folderOf(file), readFileSync(join(root, file), 'utf8')])));
};
