import { expect, it } from 'vitest';
import type { DeliveryProgress, DeliveryState } from './delivery.ts';
import { mostResent, resending } from './resend.ts';

const failed = (n: number): DeliveryProgress => ({
  id: `d${String(n).padStart(5, '0')}`,
  event: 'message.sent',
  eventId: `e${n}`,
  state: 'failed',
  attemptsMade: 5,
  earlierAttempts: 0,
  isResent: false,
});

const subscription = { id: 'w', pauses: 0, isActive: true };
const perPage = 100;

/** Deliveries that have failed, and a part of a replay of them. */
const manyFailed = (count: number, stateAfter: DeliveryState = 'pending') => {
  const rows = new Map(Array.from({ length: count }, (_, n) => failed(n)).map((row) => [row.id, row]));
  let pagesRead = 0;
  const { resendEnded } = resending({
    deliveries: {
      findProgress: async (_, id) => rows.get(id),
      progressPages: async function* (_, { after = '' }) {
        const meant = [...rows.values()].filter(({ id }) => id > after);
        for (let start = 0; start < meant.length; start += perPage) {
          pagesRead += 1;
          yield meant.slice(start, start + perPage);
        }
      },
      saveNewRound: async (_, row) => {
        rows.set(row.id, { ...row, state: stateAfter, isResent: true, earlierAttempts: row.attemptsMade });
        return true;
      },
    },
  });
  return {
    rows,
    pagesRead: () => pagesRead,
    part: (afterDelivery?: string) =>
      resendEnded('a', subscription, { sinceMs: 0, states: ['failed'], afterDelivery }, 0),
  };
};

/** What all parts of a replay resend, one part after the other, until there are so many. */
const allParts = async (part: ReturnType<typeof manyFailed>['part'], most: number): Promise<string[]> => {
  const resent: string[] = [];
  let afterDelivery: string | undefined;
  do {
    const { jobs, last } = await part(afterDelivery);
    resent.push(...jobs.map(({ delivery }) => delivery));
    afterDelivery = last;
  } while (afterDelivery !== undefined && resent.length < most);
  return resent;
};

it.each<DeliveryState>(['pending', 'failed'])(
  'resends each of many deliveries once, part by part, when those of a part are %s by the next',
  async (state) => {
    const { rows, part } = manyFailed(2 * mostResent + 500, state);
    expect(await allParts(part, 10 * rows.size)).toEqual([...rows.keys()]);
  },
);

it('reads no more deliveries than a part resends, however many have failed: all of them would not fit into its function', async () => {
  const { part, pagesRead } = manyFailed(20 * mostResent);
  const { jobs, last } = await part();
  expect([jobs.length, pagesRead()]).toEqual([mostResent, mostResent / perPage + 1]);
  await part(last);
  expect(pagesRead()).toBe(2 * (mostResent / perPage + 1));
});

it('queues, beside its own thousand, the new rounds of a call that died before it queued them', async () => {
  const { rows, part } = manyFailed(2 * mostResent + 500);
  await part();
  // Its jobs were never queued: the same part again.
  expect(new Set(await allParts(part, 10 * rows.size))).toEqual(new Set(rows.keys()));
});

it('gives failed tests no place among its thousand, because they are never resent', async () => {
  const { rows, part } = manyFailed(mostResent + 1);
  for (const row of [...rows.values()].slice(0, mostResent)) rows.set(row.id, { ...row, eventId: undefined });
  expect((await part()).jobs.map(({ delivery }) => delivery)).toEqual([failed(mostResent).id]);
});

it('leaves a delivery that another call has sent again since it was found to have failed', async () => {
  const begun: string[] = [];
  const { resendEnded } = resending({
    deliveries: {
      findProgress: async () => ({
        ...failed(0),
        state: 'pending',
        attemptsMade: 6,
        earlierAttempts: 5,
        isResent: true,
      }),
      progressPages: async function* () {
        yield [failed(0)];
      },
      saveNewRound: async (_, { id }) => begun.push(id) > 0,
    },
  });
  const { jobs } = await resendEnded('a', subscription, { sinceMs: 0, states: ['failed'] }, 0);
  expect([jobs, begun]).toEqual([[], []]);
});
