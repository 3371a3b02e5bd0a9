import { describe, expect, it } from 'vitest';
import { reservedForRoute, reservedForWorker, reservedIn, shardsIn } from './concurrency.ts';
import { type Route, routes } from './routes.ts';
import { type Worker, workers } from './workers.ts';

const shards = shardsIn({ tryGetContext: () => undefined });

/** What each function has, by its folder. */
const reservedWith = (reserved: number, most = shards): Map<string, number | undefined> =>
  new Map([
    ...Object.values<Route>(routes).map((route) => [route.does, reservedForRoute(reserved, route)] as const),
    ...workers.map((worker) => [worker.does, reservedForWorker(reserved, worker, most)] as const),
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

  it('of 500 fits a quota of 1,000, of which Lambda keeps 100 for functions without any, with up to 36,000 writes of a warm table', () => {
    const reserved = reservedWith(500);
    expect(reserved.get('messages/send-message')).toBe(250);
    expect(sum(reserved)).toBeLessThanOrEqual(900);
    const shardsOf = (writes: number) =>
      shardsIn({ tryGetContext: (name) => (name === 'WARM_THROUGHPUT' ? `36000,${writes}` : undefined) });
    expect([36_000, 36_001].map((writes) => sum(reservedWith(500, shardsOf(writes))) <= 900)).toEqual([true, false]);
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
      if (limits.length > 0) expect(reservedForWorker(1, worker, shards)).toBeGreaterThanOrEqual(Math.max(...limits));
    }
  });

  it('limits the runs for notifications of AWS, so that they wait where one account has too many at once', () => {
    const reserved = reservedWith(500);
    const called = workers.filter(({ on }) => [on].flat().some((source) => 'topic' in source));
    expect(called.length).toBeGreaterThan(0);
    for (const { does } of called) expect(reserved.get(does)).toBe(40);
  });

  it('of a reader of the stream lets it read every shard of a table that was made for more writes', () => {
    const settings = { WARM_THROUGHPUT: '40000,30000' };
    const many = shardsIn({ tryGetContext: (name) => Reflect.get(settings, name) });
    const readers = workers.filter(({ on }) => [on].flat().some((source) => 'stream' in source));
    expect(readers.length).toBeGreaterThan(0);
    for (const reader of readers)
      expect([shards, many].map((each) => reservedForWorker(500, reader, each))).toEqual([20, 30]);
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
