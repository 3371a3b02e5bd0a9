import type { Code } from './bundle-functions.ts';
import type { Messaging } from './messaging.ts';
import type { World } from './world.ts';

export interface Judged {
  readonly world: World;
  readonly messaging: Messaging;
  readonly code: Code;
}

/** What must hold of every world that has become quiet. */
interface Invariant {
  readonly name: string;
  /** What does not hold, in words. */
  readonly violations: (judged: Judged) => readonly string[] | Promise<readonly string[]>;
}

const rowsOf = (world: World, entity: string) => world.table.all().filter((item) => item['entity'] === entity);
const openStatuses = ['queued', 'sending'];

export const invariants: readonly Invariant[] = [
  {
    name: 'no work is given up or left hanging',
    violations: ({ world }) => [
      ...world.queues.parked.map(({ queue, body }) => `a job of ${queue} was parked: ${body}`),
      ...world.readers.flatMap(({ discarded }) => discarded.map(({ sequence }) => `change ${sequence} was discarded`)),
      ...world.machine.hanging().map((run) => `${run} hangs`),
    ],
  },
  {
    name: 'every 201 has a row',
    violations: ({ world, messaging }) => {
      const rows = new Set(rowsOf(world, 'message').map(({ SK }) => SK));
      return messaging.asked.flatMap(({ id, answers }) =>
        answers
          .filter(({ status, body }) => status === 201 && !rows.has(body.data.id))
          .map(({ body }) => `${id}: no row of ${body.data.id}`),
      );
    },
  },
  {
    name: 'every message reaches a final status',
    violations: ({ world }) =>
      rowsOf(world, 'message')
        .filter(({ status }) => openStatuses.includes(String(status)))
        .map(({ SK, status, channel }) => `${channel} ${SK} is still ${status}`),
  },
];
