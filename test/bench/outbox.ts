import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { routeChanges } from '../../functions/outbox/route-changes/handler.ts';
import { openCheckpoints } from '../../infra/local/checkpoints.ts';
import { startSqs } from '../../infra/local/emulators/sqs.ts';
import { localEndpoint } from '../../infra/local/local-client.ts';
import { runStreamMapping } from '../../infra/local/stream-mapping.ts';
import { outbox } from '../../infra/outbox.ts';
import { openAwsService } from '../../shared/aws/aws-service.ts';
import { openQueue } from '../../shared/aws/queue.ts';
import { newId } from '../../shared/kit/id.ts';
import { changeReader } from '../../shared/work/stream-reader.ts';
import { startList } from '../webhook-calls.ts';
import { tableSpec, type World } from '../world.ts';

const seconds = 10;
const arn = 'arn:aws:sqs:us-east-1:000000000000:jobs';

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Milliseconds from the beginning of a write to its job in the queue, through the stream's emulator, at changes that come evenly. */
export const benchOutbox = async (world: World, perSecond = 50) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'outbox-'));
  const sqs = await startSqs({ dataDirectory, queues: [{ name: 'jobs', arn, attributes: {} }] });
  const queue = openQueue<object>(openAwsService('sqs', localEndpoint(sqs.url)), sqs.queueUrl('jobs'));
  const writtenMs = new Map<string, number>();
  const lags: number[] = [];
  const checkpoints = openCheckpoints(dataDirectory);
  let batches = 0;
  const route = changeReader({
    read: routeChanges({
      outbox,
      queueOf: () => ({
        sendEach: async (entries) => {
          const left = await queue.sendEach(entries);
          for (const { job } of entries) {
            const atMs = 'message' in job ? writtenMs.get(String(job.message)) : undefined;
            if (atMs !== undefined) lags.push(Date.now() - atMs);
          }
          return left;
        },
      }),
      delaySecondsOf: () => 0,
    }),
    parkedJobs: startList(),
    clock: Date.now,
  });
  const mapping = runStreamMapping(
    {
      id: 'outbox',
      functionName: 'outbox',
      tableName: tableSpec.name,
      batchSize: 100,
      batchWindowSeconds: 0,
      reportBatchItemFailures: true,
      startingPosition: 'LATEST',
      bisectOnError: true,
      maximumRetryAttempts: 1,
      maximumRecordAgeSeconds: -1,
      filters: [{ dynamodb: { NewImage: { entity: { S: ['message'] } } } }],
    },
    {
      dynamodbUrl: world.dynamodb.url,
      s3Url: sqs.url,
      checkpoints,
      invoke: async (_, event) => {
        batches += 1;
        return { ok: true, payload: await route(event as Parameters<typeof route>[0], { invokedFunctionArn: '' }) };
      },
    },
  );
  const write = async (): Promise<void> => {
    const SK = newId(Date.now());
    const row = { entity: 'message', origin: 'api', account: 'bench', channel: 'sms', status: 'queued' };
    writtenMs.set(SK, Date.now());
    await world.table.put({ Item: { PK: 'BENCH', SK, ...row } });
  };
  await sleep(1_000);
  const writes: Promise<void>[] = [];
  for (let n = 0; n < seconds * perSecond; n += 1) {
    writes.push(write());
    await sleep(1_000 / perSecond);
  }
  await Promise.all(writes);
  await sleep(1_000);
  await mapping.close();
  await sqs.close();
  checkpoints.close();
  rmSync(dataDirectory, { recursive: true, force: true });
  const sorted = lags.sort((one, other) => one - other);
  return { changes: sorted.length, batches, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
};
