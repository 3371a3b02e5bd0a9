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
  return new Set(
    table.all().flatMap(({ entity, GSI1SK }) => {
      const queue = GSI1SK === undefined ? undefined : sweptQueues[String(entity)];
      return queue && timeOfId(String(GSI1SK)) <= nowMs ? [queue] : [];
    }),
  );
};
