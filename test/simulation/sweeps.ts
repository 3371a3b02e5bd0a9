import { timeOfId } from '../../shared/kit/id.ts';
import type { World } from './world.ts';

type SweptQueue = 'scheduled' | 'payments';

const sweptQueues: Readonly<Record<string, SweptQueue>> = {
  'due-message': 'scheduled',
  'checkout-session': 'payments',
  payment: 'payments',
  refund: 'payments',
};

interface Looked {
  readonly table: Pick<World['table'], 'all'>;
  readonly timeline: Pick<World['timeline'], 'nowMs'>;
}

/** The queues whose sweep finds something that is due. */
export const dueQueuesIn = ({ table, timeline }: Looked): ReadonlySet<SweptQueue> => {
  const nowMs = timeline.nowMs();
  const due = new Set<SweptQueue>();
  for (const { entity, GSI1SK } of table.all()) {
    const queue = GSI1SK === undefined ? undefined : sweptQueues[String(entity)];
    if (queue && !due.has(queue) && timeOfId(String(GSI1SK)) <= nowMs) due.add(queue);
  }
  return due;
};
