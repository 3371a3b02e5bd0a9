import { afterEach, expect, it, vi } from 'vitest';
import { dayMs } from '../../kit/time-units.ts';
import { importInto, startImport } from './contact-import.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const key = { key: 'mk_lent', expiresAt: new Date(Date.now() + dayMs).toISOString() };
const refusal = { error: { code: 'rate_limited', message: 'Later.', requestId: null } };

/** A server that lends a key, and creates the contacts of each call until one is refused. Returns how many contacts each call had. */
const serve = (isRefused: (nth: number) => boolean): readonly number[] => {
  const sizes: number[] = [];
  vi.stubGlobal('fetch', async (url: unknown, { body }: { readonly body: string }) => {
    if (String(url).endsWith('/access-keys')) return Response.json({ data: key }, { status: 201 });
    const { contacts } = JSON.parse(body);
    sizes.push(contacts.length);
    if (isRefused(sizes.length)) return Response.json(refusal, { status: 400 });
    return Response.json({ data: { created: contacts.length, duplicates: 0, results: [] } });
  });
  return sizes;
};

const rows = Array.from({ length: 300 }, (_, n) => `row-${n}@example.com`);
const file = new File([['email', ...rows].join('\n')], 'contacts.csv');

it('an import that breaks off says how far it has come, and is not complete until it was started again', async () => {
  const sizes = serve((nth) => nth === 2);
  const found = importInto('a-1');
  await startImport('a-1', file);
  expect(found.get()).toMatchObject({ isRunning: false, problem: { code: 'rate_limited' } });
  expect(found.get().progress).toMatchObject({ total: 300, done: 250, created: 250 });
  await startImport('a-1', file);
  expect(found.get()).toMatchObject({ isRunning: false, problem: undefined, progress: { total: 300, done: 300 } });
  expect(sizes).toEqual([250, 50, 250, 50]);
});

it('an import goes on while no screen shows it, and is found again with its progress, by its account only', async () => {
  serve(() => false);
  const begun = startImport('a-2', file);
  expect(importInto('a-2').get().isRunning).toBe(true);
  expect(importInto('a-3').get()).toEqual({ isRunning: false, problem: undefined, progress: undefined });
  await begun;
  expect(importInto('a-2').get()).toMatchObject({
    isRunning: false,
    progress: { done: 300, created: 300, refused: [] },
  });
});
