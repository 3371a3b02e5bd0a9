import type { DynamoDBStreamEvent } from 'aws-lambda';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { routeChanges } from '../functions/outbox/route-changes/handler.ts';
import type { StreamRecord } from '../infra/local/dynamodb-stream.ts';
import type { Invoke } from '../infra/local/invocation.ts';
import { beginLife, type MappingLife } from '../infra/local/mapping-life.ts';
import { workOff } from '../infra/local/stream-batch.ts';
import { outbox } from '../infra/outbox.ts';
import type { Entry, Left } from '../shared/aws/queue.ts';
import { changeReader, type FailedCall } from '../shared/work/stream-reader.ts';
import { modelRuns } from './model-runs.ts';

const spec = {
  id: 'mapping',
  functionName: 'outbox',
  tableName: 'table',
  batchSize: 4,
  batchWindowSeconds: 0,
  reportBatchItemFailures: true,
  startingPosition: 'TRIM_HORIZON',
  bisectOnError: true,
  maximumRetryAttempts: 10_000,
  maximumRecordAgeSeconds: -1,
  filters: [],
} as const;

const kinds = ['healthy', 'unreadable', 'refused'] as const;
type Kind = (typeof kinds)[number];

const nameOf = (kind: Kind, n: number) => `${kind}${n}`;

/** An sms that was accepted when the clock began. The queue never takes a refused one. */
const recordOf = (kind: Kind, n: number): StreamRecord => {
  const fields = { entity: 'message', origin: 'api', account: 'a', channel: 'sms', status: 'queued' };
  const texts = Object.entries({ ...fields, SK: nameOf(kind, n) }).map(([name, value]) => [name, { S: value }]);
  return {
    dynamodb: {
      SequenceNumber: String(n),
      ApproximateCreationDateTime: 0,
      NewImage: { ...Object.fromEntries(texts), ...(kind === 'unreadable' && { broken: { X: '' } }) },
    },
  };
};

interface Kill {
  /** The call to a queue at which it happens, over all runs. */
  readonly call: number;
  /** How many jobs of that call are queued all the same. */
  readonly queued: number;
  /** The position of the mapping is lost as well: it goes on behind what it knows to be done. */
  readonly alsoMapping: boolean;
}

const runMs = 5_000;

/** Runs the reader on these changes as Lambda does, in batches, until each is done or given up. */
const readAll = async (records: readonly StreamRecord[], kills: readonly Kill[]) => {
  const queued: string[] = [];
  const parked = new Set<string>();
  let nowMs = 0;
  let healthyMs = 0;
  const givenUp: StreamRecord[] = [];
  let [calls, done] = [0, 0];
  let ending = new AbortController();
  const queueOf = () => ({
    sendEach: async <Some extends Entry<object>>(entries: readonly Some[]): Promise<readonly Left<Some>[]> => {
      if (entries.length === 0) return [];
      const kill = kills.find(({ call }) => call === calls);
      calls += 1;
      const nameIn = ({ job }: Some) => ('message' in job ? String(job.message) : '');
      const taken = entries.filter((entry) => !nameIn(entry).startsWith('refused'));
      if (taken.some((entry) => !queued.includes(nameIn(entry)))) healthyMs = nowMs;
      queued.push(...taken.slice(0, kill?.queued).map(nameIn));
      if (kill?.alsoMapping) ending.abort();
      if (kill) throw new Error('killed');
      return entries.filter((entry) => !taken.includes(entry)).map((entry) => ({ entry, isPassing: false }));
    },
  });
  const read = changeReader({
    read: routeChanges({ outbox, queueOf, delaySecondsOf: () => 0 }),
    parkedJobs: {
      send: async (calls: readonly FailedCall[]) => {
        for (const { requestPayload } of calls)
          for (const { dynamodb } of requestPayload.Records) parked.add(dynamodb?.SequenceNumber ?? '');
      },
    },
    clock: () => nowMs,
  });
  const invoke: Invoke = async (_, event) => {
    try {
      return { ok: true, payload: await read(event as DynamoDBStreamEvent, { invokedFunctionArn: 'arn' }) };
    } catch {
      return { ok: false, errorType: 'Error', errorMessage: 'killed', reason: 'error' };
    } finally {
      nowMs += runMs;
    }
  };
  while (done < records.length) {
    ending = new AbortController();
    const life: MappingLife = { ...beginLife(spec.id), signal: ending.signal, pause: async () => undefined };
    await workOff(records.slice(done), spec, {
      invoke,
      life,
      dated: (some) => some,
      advance: (record) => {
        done = records.indexOf(record) + 1;
      },
      discard: async (discard) => void givenUp.push(...discard.records),
    });
  }
  return { queued: new Set(queued), parked, healthyMs, givenUp };
};

const changes = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 12 });
const kills = fc.array(fc.record({ call: fc.nat(6), queued: fc.nat(6), alsoMapping: fc.boolean() }), {
  maxLength: 6,
});

it('a killed reader of the outbox loses no change: each is queued, or parked if it never can be', () =>
  fc.assert(
    fc.asyncProperty(changes, kills, async (chosen, killed) => {
      const records = chosen.map(recordOf);
      const healthy = chosen.flatMap((kind, n) => (kind === 'healthy' ? [nameOf(kind, n)] : []));
      const poison = chosen.flatMap((kind, n) => (kind === 'healthy' ? [] : [String(n)]));
      const { queued, parked, givenUp } = await readAll(records, killed);
      expect([queued, parked, givenUp]).toEqual([new Set(healthy), new Set(poison), []]);
    }),
    { numRuns: modelRuns(20), seed: 12 },
  ));

it('poison changes hold up those behind them for a minute, and those of their batch not at all', () =>
  fc.assert(
    fc.asyncProperty(changes, async (chosen) => {
      const [inOne, inAll] = [
        await readAll(chosen.slice(0, 4).map(recordOf), []),
        await readAll(chosen.map(recordOf), []),
      ];
      expect(inOne.healthyMs).toBe(0);
      expect(inAll.healthyMs).toBeLessThanOrEqual(60_000 + (chosen.length / 4) * runMs);
    }),
    { numRuns: modelRuns(20), seed: 12 },
  ));
