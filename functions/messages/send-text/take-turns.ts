import type { Queue } from '../../../shared/aws/queue.ts';
import { type Clock, longestDelaySeconds } from '../../../shared/kit/time.ts';
import { isExpired } from '../../../shared/messages/failures.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import type { TextChannel } from '../../../shared/messages/message.ts';
import type { TextTurnStore } from '../../../shared/table/messages/text-turn-store.ts';

export interface TakeTurnsNeeds {
  readonly textTurns: Pick<TextTurnStore, 'take' | 'freeAt'>;
  readonly textQueues: Readonly<Record<TextChannel, Queue<TextJob>>>;
  readonly clock: Clock;
}

/** Senders of sms count segments; a whatsapp message has no price. A job of a round does not say it. */
const segmentsIn = ({ price }: TextJob): number => Math.max(1, price?.credits ?? 1);

/** SQS often returns a delayed job a little late: usually less than this. */
const lateMs = 200;
/**
 * A job comes back up to this long before its turn, because a delay is in whole seconds, and waits for the rest in its run. If it were sent on
 * its return, its sender would get up to two seconds' texts in one.
 */
const aheadMs = 1_000 + lateMs;
/** A job that comes later than this after its turn takes another: a queue that stood still must not burst. */
const turnHoldsMs = 5_000;
/** While turns are reserved further ahead than this, a spare job is left out: a later round brings another, if its text still waits. An old one comes again. */
const spareAheadMs = 60_000;

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
 * returns when it has expired. Spare jobs take none of a busy sender, whose texts wait long and so have several of them.
 */
export const takeTurns = async (
  { textTurns, textQueues, clock }: TakeTurnsNeeds,
  { account, channel }: Pick<TextJob, 'account' | 'channel'>,
  perSecond: number | null,
  jobs: readonly TextJob[],
): Promise<readonly DueText[]> => {
  const nowMs = clock();
  if (perSecond === null) return jobs.map((job) => ({ job, beginMs: nowMs }));
  // A job of the release before does not say the rate.
  const holds = ({ turnMs = 0, turnsPerSecond = perSecond }: TextJob): boolean =>
    turnsPerSecond === perSecond && nowMs < turnMs + turnHoldsMs;
  const [standing, others] = [jobs.filter(holds), jobs.filter((job) => !holds(job))];
  const isChoosy = others.some(({ isSpare, expiresMs }) => isSpare || expiresMs !== undefined);
  const freeMs = isChoosy ? Math.max(nowMs, await textTurns.freeAt(account, channel, perSecond)) : nowMs;
  const expiring = others.filter(({ expiresMs = Number.POSITIVE_INFINITY }) => expiresMs <= freeMs);
  const isLeftOut = (job: TextJob): boolean => job.isSpare === true && freeMs > nowMs + spareAheadMs;
  const comingAgain = others.filter((job) => job.isOld && isLeftOut(job));
  const asking = others.filter((job) => !expiring.includes(job) && !isLeftOut(job));
  const eachMs = 1_000 / perSecond;
  const segments = asking.map(segmentsIn);
  const segmentsBefore = (n: number): number => segments.slice(0, n).reduce((sum, count) => sum + count, 0);
  const wanted = { segments: segmentsBefore(asking.length), perSecond };
  const beginMs = asking.length > 0 ? await textTurns.take(account, channel, wanted, nowMs) : nowMs;
  const turns = [
    ...standing.map((job) => ({ job, turnMs: job.turnMs ?? nowMs })),
    ...expiring.map((job) => ({ job, turnMs: Math.max(nowMs, (job.expiresMs ?? 0) + aheadMs) })),
    ...asking.map((job, n) => ({ job, turnMs: Math.ceil(beginMs + segmentsBefore(n) * eachMs) })),
  ];

  const isDue = ({ turnMs }: { readonly turnMs: number }): boolean => turnMs < nowMs + aheadMs;
  // A turn that is further off than the longest delay holds meanwhile.
  const secondsUntil = (ms: number): number => Math.min(Math.floor((ms - nowMs - lateMs) / 1_000), longestDelaySeconds);
  const later = [
    ...turns
      .filter((turn) => !isDue(turn))
      .map(({ job, turnMs }) => ({
        job: { ...job, turnMs, turnsPerSecond: perSecond },
        seconds: secondsUntil(turnMs),
      })),
    ...comingAgain.map((job) => ({ job, seconds: secondsUntil(freeMs) })),
  ];
  await Promise.all(
    [...Map.groupBy(later, ({ seconds }) => seconds)].map(([delaySeconds, some]) =>
      textQueues[channel].send(
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
