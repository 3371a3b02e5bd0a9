import type { Queue } from '../../../shared/aws/queue.ts';
import { type Clock, longestDelaySeconds } from '../../../shared/kit/time.ts';
import { isExpired } from '../../../shared/messages/failures.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import type { TextChannel } from '../../../shared/messages/message.ts';
import type { TextTurnStore } from '../../../shared/table/messages/text-turn-store.ts';
import { reserveTurns, type Turn } from './reserve-turns.ts';

export interface TakeTurnsNeeds {
  readonly textTurns: Pick<TextTurnStore, 'take' | 'freeAt'>;
  readonly textQueues: Readonly<Record<TextChannel, Queue<TextJob>>>;
  readonly clock: Clock;
}

/** SQS often returns a delayed job up to this much late. */
const lateMs = 200;
/**
 * A job comes back up to this long before its turn, because a delay is in whole seconds, and waits for the rest in its run. If it were sent on
 * its return, its sender would get up to two seconds' texts in one.
 */
const aheadMs = 1_000 + lateMs;

/** A turn counts as waiting for a sender that did not take the text before: one that takes none, and has many turns, would keep its texts for weeks. */
const waiting = ({ waitedMs, ...job }: TextJob, seconds: number): TextJob => ({
  ...job,
  waitedMs: waitedMs && waitedMs + seconds * 1_000,
});

/** A text that is to be sent then, by this run. */
interface DueText {
  readonly job: TextJob;
  readonly beginMs: number;
}

/**
 * The jobs of one account and channel that this run sends, each at its turn; the others are queued for their turns. A job returns only once,
 * because turns are reserved in advance; after a change of the rate it takes another one. A text that expires before its turn takes none: its job
 * returns when it has expired.
 */
export const takeTurns = async (
  { textTurns, textQueues, clock }: TakeTurnsNeeds,
  group: Pick<TextJob, 'account' | 'channel'>,
  perSecond: number | null,
  jobs: readonly TextJob[],
): Promise<readonly DueText[]> => {
  const nowMs = clock();
  if (perSecond === null) return jobs.map((job) => ({ job, beginMs: nowMs }));
  const reserved = await reserveTurns(textTurns, group, perSecond, jobs, nowMs);
  const turns: readonly Turn[] = [
    ...reserved.turns,
    // Due as soon as it has expired.
    ...reserved.expiring.map((job) => ({ job, turnMs: Math.max(nowMs, (job.expiresMs ?? 0) + aheadMs) })),
  ];
  const isDue = ({ turnMs }: Turn): boolean => turnMs < nowMs + aheadMs;
  // A turn that is further off than the longest delay holds meanwhile.
  const secondsUntil = (ms: number): number => Math.min(Math.floor((ms - nowMs - lateMs) / 1_000), longestDelaySeconds);
  const later = [
    ...turns
      .filter((turn) => !isDue(turn))
      .map(({ job, turnMs }) => ({
        job: { ...job, turnMs, turnsPerSecond: perSecond },
        seconds: secondsUntil(turnMs),
      })),
    ...reserved.askingAgain.map((job) => ({ job, seconds: secondsUntil(reserved.freeMs) })),
  ];
  await Promise.all(
    [...Map.groupBy(later, ({ seconds }) => seconds)].map(([delaySeconds, some]) =>
      textQueues[group.channel].send(
        some.map(({ job }) => waiting(job, delaySeconds)),
        { delaySeconds },
      ),
    ),
  );
  // An expired one is not sent, only ended.
  return turns
    .filter(isDue)
    .map(({ job, turnMs }) => ({ job, beginMs: isExpired({ expiresMs: job.expiresMs }, nowMs) ? nowMs : turnMs }));
};
