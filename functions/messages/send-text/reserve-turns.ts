import type { TextJob } from '../../../shared/messages/jobs.ts';
import type { TextTurnStore } from '../../../shared/table/messages/text-turn-store.ts';

/** Senders of sms count segments, one credit each. A whatsapp message has no price, nor has a job that a round queued: both count as one. */
const segmentsIn = ({ price }: TextJob): number => Math.max(1, price?.credits ?? 1);

/** A job that comes later than this after its turn takes another: a queue that stood still must not burst. */
const turnHoldsMs = 5_000;
/** While turns are reserved further ahead than this, a spare job is left out: a later round brings another, if its text still waits. An old one comes again. */
const spareAheadMs = 60_000;

/** A job, and when its sender may be given its text. */
export interface Turn {
  readonly job: TextJob;
  readonly turnMs: number;
}

/** What becomes of the jobs of a batch. Spare jobs that are left out and not old are in none of these: they end. */
export interface Reserved {
  readonly turns: readonly Turn[];
  /** Texts that expire before a turn would be free: they take none. */
  readonly expiring: readonly TextJob[];
  /** Old spare jobs that are left out: they ask again when the sender is free. */
  readonly askingAgain: readonly TextJob[];
  /** When the next turn is free. Read from the table only if a job is spare or expires; otherwise now. */
  readonly freeMs: number;
}

/**
 * Reserves a turn for each job that has none, in one write. A job keeps its turn unless the sender's rate has changed since. Spare jobs take none of
 * a busy sender, whose texts wait long and so have several of them.
 */
export const reserveTurns = async (
  textTurns: Pick<TextTurnStore, 'take' | 'freeAt'>,
  { account, channel }: Pick<TextJob, 'account' | 'channel'>,
  perSecond: number,
  jobs: readonly TextJob[],
  nowMs: number,
): Promise<Reserved> => {
  // A job of the release before does not say the rate.
  const hasTurn = ({ turnMs = 0, turnsPerSecond = perSecond }: TextJob): boolean =>
    turnsPerSecond === perSecond && nowMs < turnMs + turnHoldsMs;
  const [standing, others] = [jobs.filter(hasTurn), jobs.filter((job) => !hasTurn(job))];
  const isChoosy = others.some(({ isSpare, expiresMs }) => isSpare || expiresMs !== undefined);
  const freeMs = isChoosy ? Math.max(nowMs, await textTurns.freeAt(account, channel, perSecond)) : nowMs;
  const expiring = others.filter(({ expiresMs = Number.POSITIVE_INFINITY }) => expiresMs <= freeMs);
  const isLeftOut = (job: TextJob): boolean => job.isSpare === true && freeMs > nowMs + spareAheadMs;
  const asking = others.filter((job) => !expiring.includes(job) && !isLeftOut(job));
  const segments = asking.map(segmentsIn);
  const segmentsBefore = (n: number): number => segments.slice(0, n).reduce((sum, count) => sum + count, 0);
  const wanted = { segments: segmentsBefore(asking.length), perSecond };
  const beginMs = asking.length > 0 ? await textTurns.take(account, channel, wanted, nowMs) : nowMs;
  const eachMs = 1_000 / perSecond;
  return {
    turns: [
      ...standing.map((job) => ({ job, turnMs: job.turnMs ?? nowMs })),
      ...asking.map((job, n) => ({ job, turnMs: Math.ceil(beginMs + segmentsBefore(n) * eachMs) })),
    ],
    expiring,
    askingAgain: others.filter((job) => job.isOld && isLeftOut(job)),
    freeMs,
  };
};
