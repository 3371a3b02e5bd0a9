import { describe, expect, it } from 'vitest';
import { reservedForRoute, reservedForWorker, reservedIn } from './concurrency.ts';
import { type Route, routes } from './routes.ts';
import { type Worker, workers } from './workers.ts';

/** What each function has, by its folder. */
const reservedWith = (reserved: number): Map<string, number | undefined> =>
  new Map([
    ...Object.values<Route>(routes).map((route) => [route.does, reservedForRoute(reserved, route)] as const),
    ...workers.map((worker) => [worker.does, reservedForWorker(reserved, worker)] as const),
  ]);
const sum = (reserved: Map<string, number | undefined>): number =>
  [...reserved.values()].reduce<number>((total, each) => total + (each ?? 0), 0);

/** How many batches the queues of a worker may run at a time. */
const limitsOf = ({ on }: Worker): number[] =>
  [on].flat().flatMap((source) => ('queue' in source ? [source.concurrency] : []));

describe('reserved concurrency', () => {
  it('is nothing by default, so that a new account with a quota of 10 can deploy', () => {
    expect(sum(reservedWith(reservedIn({ tryGetContext: () => undefined })))).toBe(0);
  });

  it('of 500 fits a quota of 1,000, of which Lambda keeps 100 for functions without any', () => {
    const reserved = reservedWith(500);
    expect(reserved.get('messages/send-message')).toBe(250);
    expect(sum(reserved)).toBeLessThanOrEqual(900);
  });

  it('is kept for sending and money, and not for the docs or other public routes', () => {
    const reserved = [...reservedWith(500)].filter(([, runs]) => runs !== undefined).map(([does]) => does);
    expect(reserved).toContain('checkout/begin-payment');
    const sending = Object.values<Route>(routes).filter(({ needs }) => needs.includes('email:send'));
    expect(reserved).toEqual(expect.arrayContaining(sending.map(({ does }) => does)));
    expect(sending.length).toBeGreaterThan(1);
    expect(reserved).toContain('checkout/work-payments');
    // Merchants learn of payments by it.
    expect(reserved).toContain('notices/give-notice');
    const open = Object.values<Route>(routes).filter(({ auth }) => auth === 'public');
    for (const { does } of open) expect(reserved).not.toContain(does);
  });

  it('of a worker lets its queues run as many batches as they may', () => {
    for (const worker of workers) {
      const limits = limitsOf(worker);
      if (limits.length > 0) expect(reservedForWorker(1, worker)).toBeGreaterThanOrEqual(Math.max(...limits));
    }
  });

  it('in another form than a number is refused at synthesis', () => {
    expect(() => reservedIn({ tryGetContext: () => 'many' })).toThrow(
      'RESERVED_CONCURRENCY: must be a whole number from 0 to 99999',
    );
  });
});

it('full queues leave most of the usual quota of 1,000 to the callers of the API', () => {
  const limits = workers.flatMap(limitsOf);
  expect(limits.filter((limit) => !(limit > 0))).toEqual([]);
  expect(limits.reduce((total, limit) => total + limit, 0)).toBeLessThanOrEqual(300);
});
