import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isType: boolean;
}

/** Rooms of `shared` that hold rules: pure, by the name of what they are about. */
const rules = ['accounts', 'analytics', 'contacts', 'messages', 'templates', 'webhooks', 'checkout', 'compliance'].map(
  (room) => `shared/${room}`,
);

/** Who may import whom, beyond its own folder. A folder stands for everything below it; `types` may be imported as types only. */
const rooms: readonly { readonly from: RegExp; readonly may: readonly string[]; readonly types?: readonly string[] }[] =
  [
    { from: /^shared\/kit\//, may: [] },
    { from: new RegExp(`^(${rules.join('|')})/`), may: ['shared/kit', ...rules] },
    {
      from: /^shared\/(table|aws|providers)\//,
      may: ['shared/kit', 'shared/table', 'shared/providers/http', ...rules],
    },
    { from: /^shared\/(http|work)\//, may: ['shared/kit'] },
    { from: /^shared\/docs\//, may: ['shared/kit', 'shared/http', ...rules] },
    {
      from: /^functions\/.*\/main\.ts$/,
      may: ['shared/http', 'shared/work', 'shared/live.ts', 'shared/kit', ...rules],
    },
    { from: /^functions\/.*\/contract\.ts$/, may: ['shared/http', 'shared/kit', ...rules] },
    {
      from: /^functions\//,
      may: ['shared/kit', ...rules],
      types: ['shared/http', 'shared/work', 'shared/table', 'shared/aws', 'shared/providers'],
    },
    { from: /^infra\/local\//, may: ['infra'] },
    { from: /^infra\//, may: ['infra'], types: ['shared'] },
  ];

const sources = globSync('{infra,functions,shared}/**/*.ts').filter(
  (file) => !/\.test\.ts$|testbed|fixture/.test(file),
);

const imports = sources.flatMap((file): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+'(\.[^']+)'/gms)].map(
    ([, type, path = '']) => ({
      file,
      target: normalize(join(dirname(file), path)),
      isType: type !== undefined,
    }),
  ),
);

const isIn = (target: string, room: string): boolean => target === room || target.startsWith(`${room}/`);

it('finds the imports it judges', () => {
  expect(imports.length).toBeGreaterThan(100);
});

it('lets every room import only what it may', () => {
  const strays = imports.filter(({ file, target, isType }) => {
    const room = rooms.find(({ from }) => from.test(file));
    if (!room || dirname(target) === dirname(file)) return false;
    return ![...room.may, ...(isType ? (room.types ?? []) : [])].some((allowed) => isIn(target, allowed));
  });
  expect(strays.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
});

it('lets only main.ts and the callers see the real things', () => {
  const strays = imports.filter(
    ({ file, target }) => target === 'shared/live.ts' && !file.endsWith('/main.ts') && file !== 'shared/callers.ts',
  );
  expect(strays).toEqual([]);
});

it('lets a function get its callers from its row alone', () => {
  const strays = imports.filter(
    ({ file, target }) => file.endsWith('/main.ts') && /(callers|surface|\/cors)\.ts$/.test(target),
  );
  expect(strays).toEqual([]);
});
