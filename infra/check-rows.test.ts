import { describe, expect, it } from 'vitest';
import { currentMistakes, mistakesIn } from './check-rows.ts';
import { isNameOf, parkingPlaces } from './replay/parking-places.ts';

/** A quota of Lambda; CloudFormation shortens the names that it makes to it. */
const mostLambdaNameLetters = 64;

type Row = Parameters<typeof mistakesIn>[0][number];

const route: Row = {
  name: 'GET /thing',
  does: 'things/get-thing',
  auth: { apiKey: 'messages:read' },
  needs: ['account:read'],
};
const main = (does: string) => `import { endpoint } from '../../../shared/http/endpoint.ts';\ncallersOf('${does}')`;
const madeWith = (file: string) => `import { it } from '../../../shared/http/${file}.ts';`;

/** The mistakes of these rows, where each has a folder as it should be unless `mains` says otherwise. */
const mistakes = (rows: readonly Row[], mains: Readonly<Record<string, string>> = {}) =>
  mistakesIn(
    rows,
    new Map(Object.entries({ ...Object.fromEntries(rows.map(({ does }) => [does, main(does)])), ...mains })),
  );

describe('the check of the rows at synthesis', () => {
  it('finds no mistake in the two tables as they are', () => {
    expect(currentMistakes()).toEqual([]);
  });

  it('names both folders whose functions would have one name', () => {
    const rows = [
      { ...route, does: 'a-b/c' },
      { ...route, name: 'GET /other', does: 'a/b-c' },
    ];
    expect(mistakes(rows)).toEqual(['functions/a-b/c and functions/a/b-c would both be named a-b-c']);
    expect(mistakes([route, { ...route, name: 'GET /other', does: 'others/get-thing' }])).toEqual([]);
  });

  it('counts the routes before API Gateway does, which has one for HEAD beside each GET', () => {
    const rowsOf = (method: string, length: number) =>
      Array.from({ length }, (_, n) => ({ ...route, name: `${method} /thing/${n}` }));
    expect(mistakes(rowsOf('PUT', 301))).toEqual(['API Gateway takes 300 routes, and infra/routes.ts makes 301']);
    expect(mistakes(rowsOf('PUT', 300))).toEqual([]);
    expect(mistakes(rowsOf('GET', 151))).toEqual(['API Gateway takes 300 routes, and infra/routes.ts makes 302']);
    expect(mistakes(rowsOf('GET', 150))).toEqual([]);
  });

  it('names a row and the folder that it lacks', () => {
    expect(mistakesIn([route], new Map())).toEqual(['GET /thing: functions/things/get-thing/main.ts does not exist']);
  });

  it('names a folder that has no row', () => {
    expect(mistakes([route], { 'things/put-thing': '' })).toEqual([
      'functions/things/put-thing has no row in infra/routes.ts or infra/workers.ts',
    ]);
  });

  it.each<[string, Partial<Row>]>([
    ['auth', { auth: { apiKey: 'messages:send' } }],
    ['needs', { needs: ['account:read', 'account:write'] }],
    ['memoryMegabytes', { memoryMegabytes: 1024 }],
  ])('names both rows that share a folder and differ in %s', (part, other) => {
    expect(mistakes([route, { ...route, ...other, name: 'PUT /thing' }])).toEqual([
      `GET /thing and PUT /thing share functions/things/get-thing, but differ in ${part}`,
    ]);
  });

  it('lets rows share a folder whose needs are the same in another order', () => {
    const rows = [
      ['data:open', 'account:read'],
      ['account:read', 'data:open'],
    ].map((needs, i) => ({ ...route, name: `GET /${i}`, needs }));
    expect(mistakes(rows)).toEqual([]);
  });

  it('names both rows where a worker shares its folder', () => {
    const worker: Row = { name: 'worker 1', does: route.does, needs: route.needs };
    expect(mistakes([route, worker])).toEqual([
      'GET /thing and worker 1 share functions/things/get-thing, but a worker has a folder of its own',
    ]);
  });

  it.each<[NonNullable<Row['auth']>, string]>([
    [{ apiKey: 'messages:read' }, 'page'],
    [{ role: 'operator' }, 'form'],
    ['payer', 'callback'],
    ['public', 'callback'],
    ['provider', 'endpoint'],
  ])('refuses the auth %o of a function that is made with %s', (auth, file) => {
    expect(mistakes([{ ...route, auth }], { [route.does]: madeWith(file) })[0]).toMatch(
      `GET /thing: functions/things/get-thing/main.ts is made with ${file}, which does not serve the auth `,
    );
  });

  it('names a function that does not ask its own row who may call', () => {
    const mistake = "GET /thing: functions/things/get-thing/main.ts does not ask callersOf('things/get-thing')";
    expect(mistakes([route], { [route.does]: madeWith('endpoint') })).toEqual([mistake]);
    expect(mistakes([route], { [route.does]: main('things/put-thing') })).toEqual([mistake]);
  });
});

it('names stream readers so shortly that CloudFormation keeps the whole name, which `npm run replay` looks for', () => {
  for (const { name } of parkingPlaces.filter(({ kind }) => kind === 'batches')) {
    const physical = `staging1-work-${name.replaceAll('-', '')}0A1B2C3D-ABCDEFGHIJKL`;
    expect(isNameOf(physical, { stage: 'staging1', id: name })).toBe(true);
    expect([physical, physical.length <= mostLambdaNameLetters]).toEqual([physical, true]);
  }
});
