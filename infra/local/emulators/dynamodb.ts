import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openAwsService } from '../../../shared/aws/aws-service.ts';
import { openDynamoDb } from '../../../shared/aws/dynamodb.ts';
import { Unavailable } from '../../../shared/kit/fault.ts';
import type { TableSpec } from '../blueprint.ts';
import { reasonOf } from '../complaints.ts';
import { freshStart } from '../fresh-start.ts';
import { localEndpoint } from '../local-client.ts';
import { dateAheadMs } from '../shifted-date.ts';
import { StartFailure } from '../start-failure.ts';
import { deleteExpired } from './dynamodb-expiry.ts';
import { findDynoxide, runDynoxide } from './dynamodb-process.ts';
import { ensureTable } from './dynamodb-tables.ts';
import { openUpkeep, type Passed } from './dynamodb-upkeep.ts';

const upkeepIntervalMs = 60_000;
/** A new index of a large table takes long. */
const tableWithinMs = 600_000;

export interface DynamodbOptions {
  readonly dataDirectory: string;
  readonly tables: readonly TableSpec[];
  /** Called once, with one line, when the database ends unexpectedly. */
  readonly onExit?: (line: string) => void;
  /** Records of a stream are kept until all readers have passed them. Without it, only their age counts. */
  readonly passed?: Passed;
}

export interface Dynamodb {
  readonly url: string;
  /** Removes the items past their TTL and the stream records that are read and older than a day. Runs automatically every minute. Returns how many items a skip of time made expire. */
  sweepExpired(): Promise<number>;
  close(): Promise<void>;
}

/**
 * DynamoDB with these tables, over a file in the data directory. Answered writes survive a SIGKILL of either process. With
 * `DYNAMODB_ENDPOINT` in the environment, the tables are created there instead, and no database is started.
 */
export const startDynamodb = async (options: DynamodbOptions): Promise<Dynamodb> => {
  const endpoint = process.env['DYNAMODB_ENDPOINT'];
  if (endpoint) {
    await readable(endpoint, 'Start it, without these tables if they differ, or unset DYNAMODB_ENDPOINT.', () =>
      ensureTables(endpoint, options.tables),
    );
    return { url: endpoint, sweepExpired: async () => 0, close: async () => {} };
  }
  const program = findDynoxide();
  if (!program)
    throw new StartFailure(
      'DynamoDB is missing: put "dynoxide" 1.2.1 on the PATH, or run DynamoDB Local and set DYNAMODB_ENDPOINT.',
    );
  mkdirSync(options.dataDirectory, { recursive: true });
  const file = join(options.dataDirectory, 'dynamodb.sqlite');
  const dynoxide = await runDynoxide(program, file, (line) => options.onExit?.(line));
  try {
    return await readable(file, `Start without the data: ${freshStart(options.dataDirectory)}`, async () => {
      await ensureTables(dynoxide.url, options.tables);
      const { tables, passed = () => Number.MAX_SAFE_INTEGER } = options;
      return kept(dynoxide, openUpkeep(file, dynoxide.mcp, tables, passed), tables);
    });
  } catch (error) {
    await dynoxide.stop();
    throw error;
  }
};

const kept = (
  { url, stop }: Awaited<ReturnType<typeof runDynoxide>>,
  upkeep: ReturnType<typeof openUpkeep>,
  tables: readonly TableSpec[],
): Dynamodb => {
  const dynamodb = openDynamoDb(localEndpoint(url));
  const sweepExpired = async () => {
    await upkeep.sweepExpiredItems();
    const expired = dateAheadMs() > 0 ? await deleteExpired(dynamodb, tables, upkeep) : 0;
    await upkeep.trimStreams();
    return expired;
  };
  // The next round makes up for a failed one.
  const rounds = setInterval(() => void sweepExpired().catch(() => {}), upkeepIntervalMs);
  const close = async () => {
    clearInterval(rounds);
    upkeep.close();
    await stop();
  };
  return { url, sweepExpired, close };
};

const ensureTables = async (url: string, tables: readonly TableSpec[]): Promise<void> => {
  const dynamodb = openAwsService('dynamodb', localEndpoint(url), { withinMs: tableWithinMs });
  for (const table of tables) await ensureTable(dynamodb, table);
};

const readable = async <Result>(place: string, remedy: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof StartFailure) throw cause;
    // `Unavailable` only says that repeating failed; its cause says why.
    const reason = reasonOf(cause instanceof Unavailable ? cause.cause : cause);
    throw new StartFailure(`DynamoDB cannot be used over ${place} (${reason}). ${remedy}`, { cause });
  }
};
