import { randomUUID } from 'node:crypto';
import { setTimeout as waitFor } from 'node:timers/promises';
import { openComplaints, reasonOf } from '../complaints.ts';
import { account, region } from '../local-region.ts';
import { waitBriefly } from '../wait-briefly.ts';
import { type Invocation, mostPatient, type Schedule } from './scheduler-schedule.ts';
import type { ScheduleStore } from './scheduler-store.ts';
import { nextRun } from './scheduler-timing.ts';

export type Deliver = (target: Invocation['target']) => Promise<void>;

const concurrentDeliveries = 20;
/** Far below the maximum of `setTimeout`, and short enough to notice a changed clock or a machine that slept. */
const longestSleepMs = 60_000;
const firstRetryMs = 1000;
const longestRetryMs = 300_000;
const graceMs = 2000;
/** What the disk did not take, because it is full, is written again after this time. */
const rewriteAfterMs = 1000;

/** The input for a target without an own input. */
const defaultInput = JSON.stringify({
  version: '0',
  id: '<aws.scheduler.execution-id>',
  'detail-type': 'Scheduled Event',
  source: 'aws.scheduler',
  account,
  time: '<aws.scheduler.scheduled-time>',
  region,
  resources: ['<aws.scheduler.schedule-arn>'],
  detail: '{}',
});

/**
 * Delivers due schedules at least once, with retries. Call `wake` after schedules changed. `stop` waits briefly for running deliveries;
 * those that do not end are repeated after the next start.
 */
export const runSchedules = (store: ScheduleStore, deliver: Deliver, now: () => number) => {
  const underWay = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let state: 'running' | 'stopping' | 'stopped' = 'running';

  const complaints = openComplaints();
  const complain = (error: unknown): void => {
    const reason = reasonOf(error);
    complaints(reason, `The scheduler cannot write its schedules, and tries again: ${reason}`);
  };

  /** Repeats a write until it succeeds: a run that is not recorded would be delivered again at once. */
  const record = async (write: () => void): Promise<void> => {
    while (state !== 'stopped') {
      try {
        write();
        return;
      } catch (error) {
        complain(error);
        await waitFor(rewriteAfterMs);
      }
    }
  };

  const attempt = async (run: Invocation): Promise<void> => {
    let again: Invocation | undefined;
    try {
      await deliver(attemptOf(run));
    } catch (error) {
      again = afterFailure(run, now());
      if (!again) console.error(`${run.scheduleArn} gives up on ${run.target.arn}:`, error);
    }
    await record(() => (again ? store.postpone(again) : store.finish(run)));
  };

  /** Begins what is due. Returns in how many milliseconds to look again. */
  const beginDue = (): number => {
    const nowMs = now();
    for (const due of store.dueSchedules(nowMs, concurrentDeliveries)) {
      store.fire(...runOf(due, nowMs));
    }
    for (const run of store.dueInvocations(nowMs, concurrentDeliveries)) {
      if (underWay.has(run.id)) continue;
      const settled = attempt(run).finally(() => {
        underWay.delete(run.id);
        wake();
      });
      underWay.set(run.id, settled);
    }
    const sleepMs = Math.max(store.nextDueAt(nowMs) - nowMs, 0);
    return Math.min(sleepMs, longestSleepMs);
  };

  const wake = () => {
    clearTimeout(timer);
    if (state !== 'running') return;
    let sleepMs = rewriteAfterMs;
    try {
      sleepMs = beginDue();
    } catch (error) {
      complain(error);
    }
    timer = setTimeout(wake, sleepMs);
  };

  /** After the clock moved: runs what fell due, and returns how many schedules did. */
  const catchUp = (): number => {
    const due = store.countDue(now());
    wake();
    return due;
  };

  const stop = async () => {
    state = 'stopping';
    clearTimeout(timer);
    await waitBriefly(Promise.all(underWay.values()), graceMs);
    state = 'stopped';
  };

  return { wake, catchUp, stop };
};

/** The schedule with its next run, and this run. */
const runOf = (schedule: Schedule, nowMs: number): [Schedule, Invocation] => {
  const { Arn, Input, DeadLetterConfig, RetryPolicy, SqsParameters } = schedule.definition.Target;
  const scheduledAt = schedule.nextRunAt ?? nowMs;
  return [
    { ...schedule, nextRunAt: nextRun(schedule.definition, scheduledAt, nowMs) },
    {
      id: randomUUID(),
      scheduleArn: schedule.arn,
      scheduledAt,
      target: { arn: Arn, input: Input ?? defaultInput, messageGroupId: SqsParameters?.MessageGroupId },
      deadLetterArn: DeadLetterConfig?.Arn,
      dueAt: nowMs,
      expiresAt: nowMs + RetryPolicy.MaximumEventAgeInSeconds * 1000,
      attempt: 1,
      lastAttempt: 1 + RetryPolicy.MaximumRetryAttempts,
    },
  ];
};

/** The target, with this attempt's context attributes filled into its input. */
const attemptOf = ({ id, scheduleArn, scheduledAt, attempt, target }: Invocation): Invocation['target'] => {
  const attributes: Readonly<Record<string, string>> = {
    'execution-id': id,
    'schedule-arn': scheduleArn,
    'scheduled-time': new Date(scheduledAt).toISOString().replace(/\.\d+/, ''),
    'attempt-number': String(attempt),
  };
  const input = target.input.replaceAll(/<aws\.scheduler\.([a-z-]+)>/g, (text, name) => attributes[name] ?? text);
  return { ...target, input };
};

/** The next attempt, else a delivery to the dead-letter queue, else undefined. */
const afterFailure = (run: Invocation, nowMs: number): Invocation | undefined => {
  const dueAt = nowMs + Math.min(firstRetryMs * 2 ** (run.attempt - 1), longestRetryMs);
  if (run.attempt < run.lastAttempt && dueAt <= run.expiresAt) return { ...run, dueAt, attempt: run.attempt + 1 };
  if (run.deadLetterArn === undefined) return undefined;
  return {
    ...run,
    target: { arn: run.deadLetterArn, input: attemptOf(run).input },
    deadLetterArn: undefined,
    dueAt: nowMs,
    expiresAt: nowMs + mostPatient.maximumEventAgeSeconds * 1000,
    attempt: 1,
    lastAttempt: 1 + mostPatient.maximumRetryAttempts,
  };
};
