import type { OutboxRow } from '../shared/work/outbox.ts';
import { queueSetting } from './queues.ts';
import type { Made } from './virtual-module.ts';
import { workers } from './workers.ts';

export type Outbox = readonly OutboxRow[];

/** What follows from the changes of the table: the rows of the workers that changes wake. */
export const outbox: Outbox = workers
  .flatMap(({ on }) => on)
  .flatMap((source) =>
    'queue' in source && source.change
      ? [source.change].flat().map((follow) => ({ queue: queueSetting(source.queue, 'URL'), ...follow }))
      : [],
  );

/** Gives the reader of the outbox its table: `import { outbox } from 'virtual:outbox'`. */
export const routing: Made = { name: 'outbox', values: () => ({ outbox }), sources: [] };
