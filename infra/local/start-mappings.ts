import type { Checkpoints } from './checkpoints.ts';
import type { Opened } from './closers.ts';
import type { Invoke } from './invocation.ts';
import { runQueueMapping } from './queue-mapping.ts';
import type { openStackClock } from './stack-clock.ts';
import type { Services } from './start-services.ts';
import { runStreamMapping } from './stream-mapping.ts';

interface MappingsOptions {
  readonly invoke: Invoke;
  readonly checkpoints: Checkpoints;
  readonly clock: Pick<ReturnType<typeof openStackClock>, 'at'>;
}

/** Feeds functions from the queues and streams that the templates map to them. */
export const startMappings = (
  opened: Opened,
  services: Services,
  { invoke, checkpoints, clock }: MappingsOptions,
): void => {
  const { blueprint, endpoints, sqs, table, writes, switches } = services;
  const queueUrlOf = (arn: string) => sqs.queueUrl(arn.split(':').at(-1) ?? '');
  switches.start(blueprint.queueMappings, (spec) =>
    runQueueMapping(spec, { sqsUrl: sqs.url, queueUrl: queueUrlOf(spec.queueArn), invoke }),
  );
  const mappings = blueprint.streamMappings.map((spec) =>
    runStreamMapping(spec, {
      dynamodbUrl: table.url,
      s3Url: endpoints.s3,
      invoke,
      checkpoints,
      writes,
      timeAt: clock.at,
    }),
  );
  // All at once, and before the functions end: what runs has a little time to end too.
  opened({ close: () => Promise.all([switches.close(), ...mappings.map((mapping) => mapping.close())]) });
};
