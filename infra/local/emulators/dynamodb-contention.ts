import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { TableSpec } from '../blueprint.ts';
import { openHolds } from './dynamodb-holds.ts';
import { type LoadKind, openMeter } from './dynamodb-meter.ts';
import { type Part, partsOf, questionIn, textOf, type WireItem } from './dynamodb-parts.ts';
import { type Answer, type Body, cancelled, conflictText, reasonsOf, refusal, throttled } from './dynamodb-refusals.ts';
import { openStreamReaders } from './dynamodb-stream-readers.ts';
import { type Load, loadsOfWrite, readUnitsOf } from './dynamodb-units.ts';
import { randomFrom } from './seeded-random.ts';

/** What a partition takes in a second. */
const partitionUnits = { Read: 3_000, Write: 1_000 };

/** How long a transaction holds its items: a time between these. */
const lockMs = { least: 5, most: 15 };

/** What one call took. */
export interface Spent {
  readonly accessKey: string;
  readonly kind: LoadKind;
  readonly loads: readonly Load[];
  /** The items that a transaction held to write them. */
  readonly held: readonly string[];
}

export interface ContentionOptions {
  readonly tables: readonly TableSpec[];
  /** The limits of partitions are divided by this, so that a laptop reaches them. */
  readonly factor?: number;
  /** Decides how long each transaction holds its items. */
  readonly seed?: number;
  readonly nowMs?: () => number;
  readonly pause?: (ms: number) => Promise<unknown>;
  /** Called after each call that takes capacity. */
  readonly onSpent?: (spent: Spent) => void;
}

export interface Call {
  readonly operation: string;
  readonly body: Body;
  readonly accessKey: string;
  /** Asks the DynamoDB behind. */
  ask(operation: string, body: Body): Promise<Answer>;
}

export type Handler = (call: Call) => Promise<Answer>;

/**
 * How DynamoDB treats calls that meet. A transaction holds its items for some milliseconds: a transaction or a write that meets one of
 * them is refused, and not queued. Each partition key of the table and of its indexes takes a limited load. At most two readers follow a
 * shard of the stream.
 */
export const openContention = (options: ContentionOptions): Handler => {
  const {
    tables,
    factor = 20,
    seed = 1,
    nowMs = () => performance.now(),
    pause = sleep,
    onSpent = () => undefined,
  } = options;
  const random = randomFrom(seed);
  const meter = openMeter({ Read: partitionUnits.Read / factor, Write: partitionUnits.Write / factor }, nowMs);
  const streamReaders = openStreamReaders(nowMs);
  const spend = ({ accessKey }: Call, kind: LoadKind, loads: readonly Load[], held: readonly string[] = []): void => {
    meter.spend(kind, loads);
    onSpent({ accessKey, kind, loads, held });
  };
  /** Items of running transactions, and of running single writes, which only a `TransactGetItems` minds. */
  const [locked, written] = [openHolds(), openHolds()];

  const specOf = (table: string): TableSpec => {
    const spec = tables.find(({ name }) => name === table);
    if (!spec) throw new UnknownTable();
    return spec;
  };
  const keyOf = ({ table, key }: Part): WireItem => {
    const { partition, sort } = specOf(table).key;
    return Object.fromEntries([partition, ...(sort === undefined ? [] : [sort])].map((name) => [name, key[name]]));
  };
  const idOf = (part: Part): string => JSON.stringify([part.table, keyOf(part)]);
  const partitionOf = ({ table, key }: Part): string => textOf(key[specOf(table).key.partition]) ?? '';

  /** The items as they are stored. */
  const imagesOf = async (parts: readonly Part[], { ask }: Call): Promise<readonly (WireItem | undefined)[]> => {
    const keys = Map.groupBy(parts, ({ table }) => table);
    const RequestItems = Object.fromEntries(
      [...keys].map(([table, all]) => [table, { Keys: all.map(keyOf), ConsistentRead: true }]),
    );
    const found = batchAnswer.safeParse((await ask('BatchGetItem', { RequestItems })).body).data?.Responses ?? {};
    const byId = new Map(
      Object.entries(found).flatMap(([table, items]) =>
        items.map((item) => [idOf({ action: 'GetItem', table, key: item, input: {} }), item] as const),
      ),
    );
    return parts.map((part) => byId.get(idOf(part)));
  };

  /** What a write is known to load before it is made. */
  const expectedLoads = (part: Part, before: WireItem | undefined): readonly Load[] => {
    const after = part.action === 'PutItem' ? part.key : before;
    return loadsOfWrite(specOf(part.table), part.key, [before, after], { isTransacted: false });
  };
  const readLoad = (part: Part, item: WireItem | undefined, isConsistent: boolean): Load => ({
    partition: partitionOf(part),
    units: readUnitsOf(item, isConsistent),
  });

  /** Makes the writes, and takes from each partition key what they cost. A refused condition costs as much as a write. */
  const metered = async (
    parts: readonly Part[],
    before: readonly (WireItem | undefined)[],
    call: Call,
    { isTransacted = false } = {},
  ): Promise<Answer> => {
    const answer = await call.ask(call.operation, call.body);
    const after = await imagesOf(parts, call);
    const loads = parts.flatMap((part, n) =>
      loadsOfWrite(specOf(part.table), part.key, [before[n], after[n]], { isTransacted }),
    );
    spend(call, 'Write', loads, isTransacted ? parts.map(idOf) : []);
    return answer;
  };

  const write: Handler = async (call) => {
    const parts = partsOf(call.operation, call.body);
    const before = await imagesOf(parts, call);
    const ids = parts.map(idOf);
    if (locked.among(ids).includes(true)) return refusal('TransactionConflictException', conflictText);
    const over = parts.flatMap((part, n) => meter.exhausted('Write', expectedLoads(part, before[n])) ?? []);
    if (over[0]) return throttled('Write', over[0]);
    return written.during(ids, () => metered(parts, before, call));
  };

  const transactWrite: Handler = async (call) => {
    const parts = partsOf(call.operation, call.body);
    const before = await imagesOf(parts, call);
    const ids = parts.map(idOf);
    const reasons = reasonsOf(locked.among(ids), (n) => {
      const part = parts[n];
      return part !== undefined && meter.exhausted('Write', expectedLoads(part, before[n])) !== undefined;
    });
    if (reasons) return cancelled(reasons);
    return locked.during(ids, async () => {
      const held = pause(lockMs.least + random() * (lockMs.most - lockMs.least));
      const answer = await metered(parts, before, call, { isTransacted: true });
      // The caller's next write must not meet its own lock.
      await held;
      return answer;
    });
  };

  const transactGet: Handler = async (call) => {
    const parts = partsOf(call.operation, call.body);
    const ids = parts.map(idOf);
    const isWritten = written.among(ids);
    const conflicts = locked.among(ids).map((isLocked, n) => isLocked || isWritten[n] === true);
    const reasons = reasonsOf(conflicts, (n) => {
      const part = parts[n];
      return part !== undefined && meter.exhausted('Read', [readLoad(part, undefined, true)]) !== undefined;
    });
    if (reasons) return cancelled(reasons);
    const answer = await call.ask(call.operation, call.body);
    const items = transactAnswer.safeParse(answer.body).data?.Responses ?? [];
    const loads = parts.map((part, n) => readLoad(part, items[n]?.Item, true));
    spend(
      call,
      'Read',
      loads.map((load) => ({ ...load, units: 2 * load.units })),
    );
    return answer;
  };

  /** One item, or one partition of the table or an index. */
  const readAt = async (call: Call, place: Omit<Load, 'units'>): Promise<Answer> => {
    const load = { ...place, units: 0 };
    if (meter.exhausted('Read', [load])) return throttled('Read', load);
    const { status, body } = await call.ask(call.operation, { ReturnConsumedCapacity: 'TOTAL', ...call.body });
    const { ConsumedCapacity, ...rest } = body;
    spend(call, 'Read', [{ ...load, units: capacity.safeParse(ConsumedCapacity).data?.CapacityUnits ?? 1 }]);
    return { status, body: call.body['ReturnConsumedCapacity'] === undefined ? rest : body };
  };
  const getItem: Handler = async (call) => {
    const [part] = partsOf(call.operation, call.body);
    return part ? readAt(call, { partition: partitionOf(part) }) : passOn(call);
  };
  const query: Handler = async (call) => {
    const { table, index, comparedWith } = questionIn(call.body);
    const spec = specOf(table);
    const key = index === undefined ? spec.key : spec.indexes.find(({ name }) => name === index)?.key;
    return readAt(call, { ...(index !== undefined && { index }), partition: comparedWith(key?.partition ?? '') ?? '' });
  };

  /** Parts that are refused alone come back as unprocessed; if all are, the whole batch is refused. */
  const batchGet: Handler = async (call) => {
    const { RequestItems } = batchGetBody.parse(call.body);
    const parts = partsOf(call.operation, call.body);
    const isConsistent = (part: Part): boolean => part.input['ConsistentRead'] === true;
    const over = parts.map((part) => meter.exhausted('Read', [readLoad(part, undefined, true)]));
    const taken = parts.filter((_, n) => !over[n]);
    const firstOver = over.find((load) => load !== undefined);
    if (firstOver && taken.length === 0) return throttled('Read', firstOver);
    const asking = (some: readonly Part[]): Body =>
      byTable(some, (table, all) => ({ ...RequestItems[table], Keys: all.map(({ key }) => key) }));
    const answer = await call.ask(call.operation, { ...call.body, RequestItems: asking(taken) });
    const found = batchAnswer.safeParse(answer.body).data?.Responses ?? {};
    const loads = taken.map((part) => {
      const item = found[part.table]?.find((key) => idOf({ ...part, key }) === idOf(part));
      return readLoad(part, item, isConsistent(part));
    });
    spend(call, 'Read', loads);
    return firstOver ? withMore(answer, 'UnprocessedKeys', asking(parts.filter((_, n) => over[n]))) : answer;
  };

  const batchWrite: Handler = async (call) => {
    const { RequestItems } = batchWriteBody.parse(call.body);
    const requests = Object.values(RequestItems).flat();
    const parts = partsOf(call.operation, call.body).map((part, n) => ({ ...part, request: requests[n] }));
    const before = await imagesOf(parts, call);
    const isLocked = locked.among(parts.map(idOf));
    const over = parts.map((part, n) => meter.exhausted('Write', expectedLoads(part, before[n])));
    const isTaken = parts.map((_, n) => !(isLocked[n] || over[n]));
    const firstOver = over.find((load) => load !== undefined);
    if (firstOver && !isTaken.includes(true)) return throttled('Write', firstOver);
    if (!isTaken.includes(true)) return refusal('TransactionConflictException', conflictText);
    const asking = (isWanted: boolean): Body =>
      byTable(
        parts.filter((_, n) => isTaken[n] === isWanted),
        (_, all) => all.map(({ request: one }) => one),
      );
    const taken = parts.filter((_, n) => isTaken[n]);
    const images = before.filter((_, n) => isTaken[n]);
    const narrowed = { ...call, body: { ...call.body, RequestItems: asking(true) } };
    const answer = await written.during(taken.map(idOf), () => metered(taken, images, narrowed));
    return isTaken.includes(false) ? withMore(answer, 'UnprocessedItems', asking(false)) : answer;
  };

  const getShardIterator: Handler = async (call) => {
    const answer = await passOn(call);
    streamReaders.learn(call.body, answer.body);
    return answer;
  };
  const getRecords: Handler = async (call) => {
    if (!streamReaders.admits(call.body, call.accessKey)) {
      return refusal('LimitExceededException', 'More than two readers follow this shard of the stream.');
    }
    const answer = await passOn(call);
    streamReaders.learn(call.body, answer.body);
    return answer;
  };

  const handlers: Readonly<Record<string, Handler>> = {
    PutItem: write,
    UpdateItem: write,
    DeleteItem: write,
    TransactWriteItems: transactWrite,
    TransactGetItems: transactGet,
    GetItem: getItem,
    Query: query,
    BatchGetItem: batchGet,
    BatchWriteItem: batchWrite,
    GetShardIterator: getShardIterator,
    GetRecords: getRecords,
  };

  return async (call) => {
    try {
      return await (handlers[call.operation] ?? passOn)(call);
    } catch (error) {
      // DynamoDB itself refuses what cannot be read.
      if (error instanceof z.ZodError || error instanceof UnknownTable) return passOn(call);
      throw error;
    }
  };
};

class UnknownTable extends Error {}

const wireItem = z.record(z.string(), z.unknown());
const batchAnswer = z.object({ Responses: z.record(z.string(), z.array(wireItem)) });
const transactAnswer = z.object({ Responses: z.array(z.object({ Item: wireItem.optional() })) });
const capacity = z.object({ CapacityUnits: z.number() });
const batchGetBody = z.looseObject({
  RequestItems: z.record(z.string(), z.looseObject({ Keys: z.array(wireItem) })),
});
const batchWriteBody = z.looseObject({ RequestItems: z.record(z.string(), z.array(z.unknown())) });

const byTable = <P extends Part>(parts: readonly P[], make: (table: string, parts: readonly P[]) => unknown): Body =>
  Object.fromEntries([...Map.groupBy(parts, ({ table }) => table)].map(([table, all]) => [table, make(table, all)]));

/** An answer that leaves more unprocessed. The emulators behind process everything. */
const withMore = (answer: Answer, field: string, left: Body): Answer =>
  answer.status === 200 ? { ...answer, body: { ...answer.body, [field]: left } } : answer;

const passOn: Handler = ({ ask, operation, body }) => ask(operation, body);
