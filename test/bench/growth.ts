import { writeFileSync } from 'node:fs';
import type { GrowthFigure } from '../../shared/docs/growth.ts';
import { newId } from '../../shared/kit/id.ts';
import { eventNames } from '../../shared/webhooks/events.ts';
import { countConsumption } from '../consumption.ts';
import type { TestAccount, World } from '../world.ts';
import { contactQuestions, loadContacts } from './contacts.ts';
import { persistent } from './load-rows.ts';
import { loadMessages, messageQuestions } from './messages.ts';

const nowMs = Date.now();
const perPublish = 40;

type Questions = Readonly<Record<string, () => Promise<unknown>>>;

/** An account with so many rows of one kind, and what is asked of it. */
type Filled = (world: World, account: TestAccount, rows: number) => Promise<Questions>;

const eventsOf: Filled = async (world, { ref }, rows) => {
  for (let start = 0; start < rows; start += perPublish) {
    const events = Array.from({ length: Math.min(perPublish, rows - start) }, (_, n) => {
      const id = newId(nowMs - rows + start + n);
      return { id: `evt_${id}`, name: 'message.sent', occurredMs: nowMs - rows + start + n, payload: `{"id":"${id}"}` };
    });
    const wanted = events.map((event) => ({ ...event, wantedBy: [] }));
    await persistent(() => world.events.storeNumbered(ref, wanted));
  }
  const all = { sinceMs: 0, names: eventNames, after: undefined, limit: 20 };
  return {
    'GET /events': () => world.events.list(ref, all, nowMs),
    'GET /events?since, the last hundred': () => world.events.list(ref, { ...all, sinceMs: nowMs - 100 }, nowMs),
  };
};

const kinds: Readonly<Record<string, Filled>> = {
  messages: async (world, account, rows) => {
    await loadMessages(world, account, rows);
    return messageQuestions(world, account);
  },
  'messages in 8 shards': async (world, account, rows) => {
    await loadMessages(world, account, rows, { shards: 8 });
    return messageQuestions(world, account);
  },
  contacts: async (world, account, rows) => {
    await loadContacts(world, account, rows);
    return contactQuestions(world, account);
  },
  events: eventsOf,
};

const bestOf = async (tries: number, work: () => Promise<unknown>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tries; n += 1) {
    const start = performance.now();
    await work();
    best = Math.min(best, performance.now() - start);
  }
  return Math.round(best * 10) / 10;
};

/** What the first page of each list costs by the number of rows in the account. `only`: of one kind of rows. `soFar`: hears of each kind when it is measured, because a million rows take their time. `tries`: of which the fastest counts. */
export const benchGrowth = async (
  world: World,
  sizes: readonly number[],
  {
    only,
    soFar,
    tries = 5,
  }: {
    readonly only?: string;
    readonly soFar?: (figures: readonly GrowthFigure[]) => void;
    readonly tries?: number;
  } = {},
): Promise<readonly GrowthFigure[]> => {
  const consumption = countConsumption(world.calls);
  const figures: GrowthFigure[] = [];
  for (const rows of sizes)
    for (const [of, fill] of Object.entries(kinds)) {
      if (only !== undefined && of !== only) continue;
      const account = await world.newAccount();
      for (const [asks, ask] of Object.entries(await fill(world, account, rows))) {
        // What functions remember of an account for a minute is not part of what a list costs.
        await persistent(ask);
        const { calls, units } = await persistent(() => consumption.of(ask));
        figures.push({ of, asks, rows, calls, units, milliseconds: await persistent(() => bestOf(tries, ask)) });
      }
      soFar?.(figures);
    }
  return figures;
};

/** Keeps the figures for the documentation. */
export const keepGrowth = (figures: readonly GrowthFigure[]): void => {
  writeFileSync('shared/docs/growth.json', `${JSON.stringify(figures, null, 2)}\n`);
};
