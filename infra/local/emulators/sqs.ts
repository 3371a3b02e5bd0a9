import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { QueueSpec } from '../blueprint.ts';
import { account } from '../local-region.ts';
import { openKept } from '../open-kept.ts';
import { noPermissions, type Permissions } from '../permissions.ts';
import { noteSource, receiveAtomically } from './sqs-dead-letters.ts';
import { buildSqs, fullAttributes, type SqsStore } from './sqs-parts.ts';
import { keepSqsRules } from './sqs-rules.ts';
import { catchUp, type SqsHold } from './sqs-waits.ts';

/**
 * SQS on a free port of 127.0.0.1, with these queues. Messages with their delays survive a restart and a SIGKILL.
 * An existing queue gets the attributes of its spec. A queue is identified by the last part of its URL, so the port may
 * change.
 */
export const startSqs = async (options: {
  dataDirectory: string;
  queues: readonly QueueSpec[];
  permissions?: Permissions;
}) => {
  const { dataDirectory } = options;
  const directory = join(dataDirectory, 'sqs');
  const { app, store, database } = openKept(dataDirectory, `The queues in ${directory} cannot be opened`, () => {
    mkdirSync(directory, { recursive: true });
    return buildSqs(directory);
  });
  keepSqsRules(app, store, options.permissions ?? noPermissions);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const queueUrl = (name: string) => `${url}/${account}/${name}`;
  for (const spec of options.queues) declare(store, spec, queueUrl(spec.name));
  for (const queue of store.allQueues()) {
    noteSource(queue);
    receiveAtomically(queue, database);
  }
  return {
    url,
    queueUrl,
    catchUp: (skippedMs: number, isHeld: SqsHold): number => catchUp(store, skippedMs, isHeld),
    close: () => app.close(),
  };
};

const declare = (store: SqsStore, spec: QueueSpec, url: string): void => {
  const queue = store.getQueueByArn(spec.arn);
  if (!queue) {
    store.createQueue(spec.name, url, spec.arn, { ...spec.attributes });
    return;
  }
  Object.assign(queue, { url, attributes: {} });
  queue.setAttributes(fullAttributes(spec.attributes));
};
