import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openKept } from '../open-kept.ts';
import { atomically } from './atomically.ts';
import { type Invocation, invocation, type Schedule, schedule } from './scheduler-schedule.ts';

export interface ScheduleFilter {
  readonly group?: string | undefined;
  readonly namePrefix?: string | undefined;
  readonly state?: string | undefined;
  readonly afterArn?: string | undefined;
  readonly limit: number;
}

export type ScheduleStore = ReturnType<typeof openScheduleStore>;

const layout = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS schedules (
    arn TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    group_name TEXT AS (body ->> 'group'),
    name TEXT AS (body ->> 'name'),
    state TEXT AS (body ->> '$.definition.State'),
    action_after_completion TEXT AS (body ->> '$.definition.ActionAfterCompletion'),
    next_run_at INTEGER AS (body ->> 'nextRunAt')
  ) STRICT;
  CREATE INDEX IF NOT EXISTS schedules_by_run ON schedules (state, next_run_at);
  CREATE TABLE IF NOT EXISTS invocations (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    schedule_arn TEXT AS (body ->> 'scheduleArn'),
    due_at INTEGER AS (body ->> 'dueAt')
  ) STRICT;
  CREATE INDEX IF NOT EXISTS invocations_by_due ON invocations (due_at);
  CREATE INDEX IF NOT EXISTS invocations_by_schedule ON invocations (schedule_arn);
`;

/**
 * Schedules and their pending invocations, in one SQLite file.
 * @throws StartFailure when the file cannot be used
 */
export const openScheduleStore = (file: string) => {
  const database = openKept(dirname(file), `${file} cannot be used`, () => open(file));
  const statements = {
    put: database.prepare('INSERT OR REPLACE INTO schedules (arn, body) VALUES (?, ?)'),
    find: database.prepare('SELECT body FROM schedules WHERE arn = ?'),
    remove: database.prepare('DELETE FROM schedules WHERE arn = ?'),
    list: database.prepare(`
      SELECT body FROM schedules
      WHERE arn > :afterArn AND name GLOB :namePrefix || '*'
        AND group_name = ifnull(:group, group_name) AND state = ifnull(:state, state)
      ORDER BY arn LIMIT :limit`),
    dueSchedules: database.prepare(`
      SELECT body FROM schedules WHERE state = 'ENABLED' AND next_run_at <= ? ORDER BY next_run_at LIMIT ?`),
    countDue: database.prepare("SELECT count(*) AS due FROM schedules WHERE state = 'ENABLED' AND next_run_at <= ?"),
    addInvocation: database.prepare('INSERT INTO invocations (id, body) VALUES (?, ?)'),
    dueInvocations: database.prepare('SELECT body FROM invocations WHERE due_at <= ? ORDER BY due_at LIMIT ?'),
    // Not an upsert, which would restore the invocation of a schedule deleted meanwhile.
    changeInvocation: database.prepare('UPDATE invocations SET body = ? WHERE id = ?'),
    removeInvocation: database.prepare('DELETE FROM invocations WHERE id = ?'),
    removeInvocationsOf: database.prepare('DELETE FROM invocations WHERE schedule_arn = ?'),
    removeIfComplete: database.prepare(`
      DELETE FROM schedules WHERE arn = ? AND next_run_at IS NULL AND action_after_completion = 'DELETE'`),
    nextDue: database.prepare(`
      SELECT min(due_at) AS due_at FROM (
        SELECT min(next_run_at) AS due_at FROM schedules WHERE state = 'ENABLED'
        UNION ALL SELECT min(due_at) FROM invocations WHERE due_at > ?)`),
  };
  const put = (entry: Schedule) => {
    statements.put.run(entry.arn, JSON.stringify(entry));
  };

  return {
    put,
    find: (arn: string): Schedule | undefined => statements.find.all(arn).map(scheduleOf)[0],
    /** Sorted by ARN. */
    list: ({ group, state, namePrefix = '', afterArn = '', limit }: ScheduleFilter): Schedule[] =>
      statements.list.all({ group: group ?? null, state: state ?? null, namePrefix, afterArn, limit }).map(scheduleOf),
    /** Deletes its invocations too. */
    remove: (arn: string) =>
      atomically(database, () => {
        statements.remove.run(arn);
        statements.removeInvocationsOf.run(arn);
      }),
    dueSchedules: (atMs: number, limit: number): Schedule[] => statements.dueSchedules.all(atMs, limit).map(scheduleOf),
    countDue: (atMs: number): number => Number(statements.countDue.get(atMs)?.['due']),
    /** Moves a schedule to its next run and stores the invocation of this run, in one transaction. */
    fire: (entry: Schedule, run: Invocation) =>
      atomically(database, () => {
        put(entry);
        statements.addInvocation.run(run.id, JSON.stringify(run));
      }),
    dueInvocations: (atMs: number, limit: number): Invocation[] =>
      statements.dueInvocations.all(atMs, limit).map(invocationOf),
    postpone: (run: Invocation) => {
      statements.changeInvocation.run(JSON.stringify(run), run.id);
    },
    /** Deletes an invocation, and its schedule when that has no next run and has DELETE after completion. */
    finish: ({ id, scheduleArn }: Invocation) =>
      atomically(database, () => {
        statements.removeInvocation.run(id);
        statements.removeIfComplete.run(scheduleArn);
      }),
    /** The earliest time at which a schedule runs or a pending invocation becomes due. */
    nextDueAt: (nowMs: number): number => Number(statements.nextDue.get(nowMs)?.['due_at'] ?? Number.POSITIVE_INFINITY),
    close: () => database.close(),
  };
};

const open = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file);
  database.exec(layout);
  return database;
};

const scheduleOf = (row: Readonly<Record<string, unknown>>) => schedule.parse(JSON.parse(String(row['body'])));
const invocationOf = (row: Readonly<Record<string, unknown>>) => invocation.parse(JSON.parse(String(row['body'])));
