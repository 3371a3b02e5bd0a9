import { isWhole } from '../webhook-invariants.ts';
import type { Crowd } from './crowd.ts';

const most = 1_000;
const api = 'shared/table/webhooks';

/** Workers publish events of one account, some of them the same ones: jobs come twice, and two changes of a message may tell of one event. */
export const eventCrowd: Crowd = {
  name: 'events that are published at once have numbers without gaps, the same for everybody, and are listed once',
  gather: async ({ world, inside, random, account }) => {
    const webhooks = [random.uuid(), random.uuid()];
    const happenedMs = world.timeline.nowMs();
    // With many events, a page is written before all of them are stored, and a run may be left behind by several pages.
    const all = Array.from({ length: 5 + random.below(random.pick([15, 15, 150])) }, (_, n) => ({
      id: `evt_${random.uuid()}`,
      name: 'message.sent',
      occurredMs: happenedMs + n,
      payload: `${n}`,
      wantedBy: webhooks.filter(() => random.isChance(0.6)),
    }));
    const published = new Map<string, Set<string>>();
    const broken: string[] = [];
    const parts = Array.from({ length: 2 + random.below(random.pick([8, 8, 60])) }, () => {
      const first = random.below(all.length);
      return all.slice(first, first + 1 + random.below(random.pick([5, 12])));
    });
    const members = parts.map((events) => ({
      does: 'publish',
      work: async () => {
        const numbers = await inside.stores.events().storeNumbered(account, events);
        for (const { id } of events) {
          const known = published.get(id) ?? new Set();
          published.set(id, known.add(JSON.stringify(numbers.get(id))));
        }
      },
    }));

    const violations = async (): Promise<readonly string[]> => {
      const events = inside.stores.events();
      for (const [id, numbers] of published)
        if (numbers.size > 1 || numbers.has('undefined')) broken.push(`${id} has the numbers ${[...numbers].join()}`);
      const stored = world.table.all().filter(({ entity }) => entity === 'event');
      for (const webhook of webhooks) {
        const own = stored.map(({ sequences }) => Number(Reflect.get(Object(sequences), webhook) ?? 0));
        const numbers = own.filter((number) => number > 0);
        if (!isWhole(numbers)) broken.push(`${webhook} has ${numbers.join()}`);
      }
      const wanted = [...published.keys()].toSorted();
      const listed = (await events.read(account.id, await events.placeAt(account.id, 0), most)).events;
      const positions = listed.map(({ position }) => position);
      if (
        listed
          .map(({ id }) => id)
          .toSorted()
          .join() !== wanted.join()
      )
        broken.push('some are not listed once');
      if (positions.some((position, n) => position !== n + 1)) broken.push(`listed at ${positions.join()}`);
      return broken;
    };
    return { members, violations };
  },
  mistakes: [
    {
      name: 'forgets an event that another run has moved to a page meanwhile',
      file: `${api}/event-store.ts`,
      find: 'if (numbered.length < fresh.length) return numbersOf();',
      replace: '',
    },
    {
      name: 'takes an event that was stored and left the end of the log for a new one',
      file: `${api}/event-log-store.ts`,
      find: ` AND NOT contains(#turned, :mark\${n})`,
      replace: ` AND (NOT contains(#turned, :mark\${n}) OR attribute_exists(#turn))`,
    },
    {
      name: 'adds events long after it looked whether they are stored',
      isRare: true,
      file: `${api}/event-log-store.ts`,
      find: "':turn': turn + turnsRemembered,",
      replace: "':turn': turn + 1_000,",
    },
    {
      name: 'takes from the end of the log what another run has put on a page',
      file: `${api}/event-log-store.ts`,
      find: "ConditionExpression: '#tail[0].#id = :first',",
      replace: "ConditionExpression: 'attribute_exists(#tail[0].#id) AND :first = :first',",
    },
    {
      name: 'takes what is on a page for stored',
      isRare: true,
      file: `${api}/event-log-store.ts`,
      find: 'const missing = [...Object.keys(before.late), ...ids].filter((one) => !stored.has(one));',
      replace: 'const missing = Object.keys(before.late).filter((one) => !stored.has(one));',
    },
  ],
};
