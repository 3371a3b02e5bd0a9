import type { StreamMappingSpec } from './blueprint.ts';
import type { StreamRecord } from './dynamodb-stream.ts';
import type { Invocation } from './function-instance.ts';
import { failedItems, type Invoke } from './invocation.ts';
import type { MappingLife } from './mapping-life.ts';
import { machineNowMs } from './shifted-date.ts';

const firstBackoffMs = 100;
const longestBackoffMs = 5_000;

/** Why records were given up, with Lambda's names, and the details of the last attempt. */
export interface Discard {
  readonly records: readonly StreamRecord[];
  readonly condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  readonly invokeCount: number;
  readonly invocation: Invocation | undefined;
}

export interface BatchDeps {
  readonly invoke: Invoke;
  readonly life: MappingLife;
  /** The records as the function gets them, with the stack's time. Here they have the machine's, by which they age: a skip gives none up. */
  dated(records: readonly StreamRecord[]): readonly StreamRecord[];
  /** This record and all before it are done. */
  advance(record: StreamRecord): void;
  discard(discarded: Discard): Promise<void>;
}

interface Piece {
  readonly records: readonly StreamRecord[];
  readonly invokeCount: number;
  readonly invocation: Invocation | undefined;
}

/**
 * Processes one batch in order, until each record succeeded or was given up by the mapping's rules. When the mapping ends, the rest is
 * left for the next start.
 */
export const workOff = async (batch: readonly StreamRecord[], spec: StreamMappingSpec, deps: BatchDeps) => {
  const pieces = [untried(batch)];
  for (let piece = pieces.shift(); piece && !deps.life.signal.aborted; piece = pieces.shift())
    pieces.unshift(...(await tryOnce(piece, spec, deps)));
};

/** The pieces to try next, after one attempt at this piece. */
const tryOnce = async (piece: Piece, spec: StreamMappingSpec, deps: BatchDeps): Promise<Piece[]> => {
  const { invoke, life, dated, advance } = deps;
  const [expired, live] = partition(piece, spec.maximumRecordAgeSeconds, life.beganAtMs);
  if (expired.records.length > 0) await giveUp(expired, 'RecordAgeExceeded', deps);
  if (live.records.length === 0) return [];

  const invocation = await invoke(spec.functionName, { Records: dated(live.records) });
  const failedAt = firstFailure(invocation, live.records, spec);
  live.records.slice(0, failedAt).slice(-1).forEach(advance);
  const records = live.records.slice(failedAt);
  if (records.length === 0 || life.signal.aborted) return [];

  const invokeCount = failedAt > 0 ? 1 : live.invokeCount + 1;
  const failed = { records, invocation, invokeCount };
  const canSplit = spec.bisectOnError && records.length > 1;
  const isExhausted = spec.maximumRetryAttempts >= 0 && invokeCount > spec.maximumRetryAttempts;
  if (isExhausted && !canSplit) {
    await giveUp(failed, 'RetryAttemptsExhausted', deps);
    return [];
  }
  await life.pause(Math.min(firstBackoffMs * 2 ** (invokeCount - 1), longestBackoffMs));
  return canSplit ? halves(records) : [failed];
};

const giveUp = async (piece: Piece, condition: Discard['condition'], { discard, dated, advance }: BatchDeps) => {
  await discard({ ...piece, records: dated(piece.records), condition });
  piece.records.slice(-1).forEach(advance);
};

const untried = (records: readonly StreamRecord[]): Piece => ({ records, invokeCount: 0, invocation: undefined });

/** A split does not count as a retry. */
const halves = (records: readonly StreamRecord[]): Piece[] => {
  const middle = Math.ceil(records.length / 2);
  return [untried(records.slice(0, middle)), untried(records.slice(middle))];
};

/** A record ages only while its mapping runs, as it always does on AWS: here the stack may have been stopped for days. */
const partition = (piece: Piece, maximumAgeSeconds: number, beganAtMs: number): [expired: Piece, live: Piece] => {
  const limit = machineNowMs() / 1_000 - maximumAgeSeconds;
  const oldest = maximumAgeSeconds < 0 || beganAtMs / 1_000 >= limit ? 0 : limit;
  const found = piece.records.findIndex(({ dynamodb }) => dynamodb.ApproximateCreationDateTime >= oldest);
  const firstLive = found < 0 ? piece.records.length : found;
  return [
    { ...piece, records: piece.records.slice(0, firstLive) },
    { ...piece, records: piece.records.slice(firstLive) },
  ];
};

/** The index of the first failed record, or the number of records. */
const firstFailure = (invocation: Invocation, records: readonly StreamRecord[], spec: StreamMappingSpec): number => {
  const numbers = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
  const failed = failedItems(invocation, numbers, spec);
  const found = numbers.findIndex((number) => failed.has(number));
  return found < 0 ? records.length : found;
};
