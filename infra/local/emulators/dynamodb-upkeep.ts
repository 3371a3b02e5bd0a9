import { DatabaseSync } from 'node:sqlite';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import * as z from 'zod';
import type { TableSpec } from '../blueprint.ts';
import { machineNowMs } from '../shifted-date.ts';
import type { WireItem } from './dynamodb-parts.ts';

const streamRetentionSeconds = 24 * 60 * 60;

// These are private tables of dynoxide's file, as in the pinned version 1.2.1.
const streamIndexes = `
  CREATE INDEX IF NOT EXISTS ix_seq ON _stream_records(table_name, CAST(sequence_number AS INTEGER));
  CREATE INDEX IF NOT EXISTS ix_seq2 ON _stream_records(table_name, shard_id, CAST(sequence_number AS INTEGER));
`;

// In small steps, because each blocks writers. The newest record of a table stays: dynoxide derives the next number from it. So does each that a
// reader has not passed: unlike on AWS, a stack may stand still for days.
const trimOldest = `
  DELETE FROM _stream_records WHERE id IN (
    SELECT old.id FROM (SELECT * FROM _stream_records ORDER BY id LIMIT 500) AS old JOIN _tables USING (table_name)
    WHERE old.created_at < ? AND CAST(old.sequence_number AS INTEGER) <= passed(table_name, stream_label, shard_id)
    AND EXISTS (
      SELECT 1 FROM _stream_records AS newer WHERE newer.table_name = old.table_name
      AND CAST(newer.sequence_number AS INTEGER) > CAST(old.sequence_number AS INTEGER)
    )
  )
`;

const Swept = z.object({ result: z.object({ isError: z.literal(false) }) });

const wireItem = z.record(z.string(), z.unknown());

/** Where dynoxide takes commands, with the token without which it takes none: a page in a browser can reach each port. */
interface Mcp {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The sequence number in a shard of a table's stream, by their ARN, up to which all readers have read. */
export type Passed = (tableName: string, shardArn: string) => number;

/** Adds DynamoDB features that dynoxide lacks: fast reads of long streams, TTL, and trimming of records that were read, after a day. */
export const openUpkeep = (file: string, mcp: Mcp, tables: readonly TableSpec[], passed: Passed) => {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec(streamIndexes);
  database.function('passed', (name, label, shardId) => {
    const table = tables.find((spec) => spec.name === name);
    return table ? passed(table.name, `${table.arn}/stream/${label}/${shardId}`) : Number.MAX_SAFE_INTEGER;
  });
  const trim = database.prepare(trimOldest);
  return {
    sweepExpiredItems: async (): Promise<void> => {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sweep_ttl', arguments: {} } };
      const headers = {
        ...mcp.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const answer = await fetch(mcp.url, { method: 'POST', headers, body: JSON.stringify(call) });
      Swept.parse(await answer.json());
    },
    /** The items of a table whose TTL is over at this time; dynoxide itself uses the machine's clock. */
    expiredItems: ({ name, ttlAttribute }: TableSpec, nowSeconds: number): WireItem[] =>
      ttlAttribute === undefined
        ? []
        : database
            .prepare(`SELECT item_json FROM "${name}" WHERE CAST(item_json ->> '$.${ttlAttribute}.N' AS INTEGER) <= ?`)
            .all(nowSeconds)
            .map((row) => wireItem.parse(JSON.parse(String(row['item_json'])))),
    trimStreams: async (): Promise<void> => {
      const oldest = Math.floor(machineNowMs() / 1_000) - streamRetentionSeconds;
      while (trim.run(oldest).changes > 0) await yieldToOthers();
    },
    close: (): void => {
      if (database.isOpen) database.close();
    },
  };
};
