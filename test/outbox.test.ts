import type { DynamoDBStreamEvent } from 'aws-lambda';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { routeChanges } from '../functions/outbox/route-changes/handler.ts';
import type { StreamRecord } from '../infra/local/dynamodb-stream.ts';
import type { Invoke } from '../infra/local/invocation.ts';
import { beginLife, type MappingLife } from '../infra/local/mapping-life.ts';
import { workOff } from '../infra/local/stream-batch.ts';
import { outbox } from '../infra/outbox.ts';
import { changeReader } from '../shared/work/stream-reader.ts';
import { modelRuns } from './model-runs.ts';

const spec = {
  id: 'mapping',
  functionName: 'outbox',
  tableName: 'table',
  batchSize: 100,
  batchWindowSeconds: 0,
  reportBatchItemFailures: true,
  startingPosition: 'TRIM_HORIZON',
  bisectOnError: true,
  maximumRetryAttempts: 3,
  maximumRecordAgeSeconds: -1,
  filters: [],
} as const;

const kinds = ['healthy', 'unreadable', 'refused'] as const;
type Kind = (typeof kinds)[number];

const nameOf = (kind: Kind, n: number) => `${kind}${n}`;

/** An sms that was just accepted. The queue never takes a refused one. */
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

/** Runs the reader on these changes as Lambda does, until each is done or given up. */
const readAll = async (records: readonly StreamRecord[], kills: readonly Kill[]) => {
  const queued: string[] = [];
  const afterRuns: number[] = [];
  const givenUp: StreamRecord[] = [];
  let [calls, done] = [0, 0];
  let ending = new AbortController();
  const queueOf = () => ({
    sendEach: async <Some extends { readonly job: object }>(entries: readonly Some[]): Promise<readonly Some[]> => {
      if (entries.length === 0) return [];
      const kill = kills.find(({ call }) => call === calls);
      calls += 1;
      const nameIn = ({ job }: Some) => ('message' in job ? String(job.message) : '');
      const taken = entries.filter((entry) => !nameIn(entry).startsWith('refused'));
      queued.push(...taken.slice(0, kill?.queued).map(nameIn));
      if (kill?.alsoMapping) ending.abort();
      if (kill) throw new Error('killed');
      return entries.filter((entry) => !taken.includes(entry));
    },
  });
  const read = changeReader(routeChanges({ outbox, queueOf, delaySecondsOf: () => 0 }));
  const invoke: Invoke = async (_, event) => {
    try {
      return { ok: true, payload: await read(event as DynamoDBStreamEvent) };
    } catch {
      return { ok: false, errorType: 'Error', errorMessage: 'killed', reason: 'error' };
    } finally {
      afterRuns.push(new Set(queued).size);
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
  return { queued: new Set(queued), afterRuns, givenUp };
};

const changes = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 12 });
const kills = fc.array(fc.record({ call: fc.nat(6), queued: fc.nat(6), alsoMapping: fc.boolean() }), {
  maxLength: 6,
});

it('a killed reader of the outbox loses no change, and only poison changes are given up, whole', () =>
  fc.assert(
    fc.asyncProperty(changes, kills, async (chosen, killed) => {
      const records = chosen.map(recordOf);
      const healthy = chosen.flatMap((kind, n) => (kind === 'healthy' ? [nameOf(kind, n)] : []));
      const { queued, givenUp } = await readAll(records, killed);
      expect(queued).toEqual(new Set(healthy));
      expect(new Set(givenUp)).toEqual(new Set(records.filter((_, n) => chosen[n] !== 'healthy')));
    }),
    { numRuns: modelRuns(20), seed: 12 },
  ));

it('poison changes hold up no other: the first run queues the jobs of all others of its batch', () =>
  fc.assert(
    fc.asyncProperty(changes, async (chosen) => {
      const { afterRuns } = await readAll(chosen.map(recordOf), []);
      expect(afterRuns[0]).toBe(chosen.filter((kind) => kind === 'healthy').length);
    }),
    { numRuns: modelRuns(20), seed: 12 },
  ));
