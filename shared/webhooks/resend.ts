import { timeOfId } from '../kit/id.ts';
import { inParts } from '../kit/in-parts.ts';
import type { DeliveryProgress, DeliveryState, Subscription } from './delivery.ts';
import type { DeliveryJob } from './jobs.ts';
import { keptSinceMs } from './retention.ts';

/** How many deliveries one call resends, so that it ends well before its function is cut off. */
export const mostResent = 1_000;
export const resentAtATime = 25;

/** Deliveries of events that happened in a time, and have ended in one of these states. */
interface Ended {
  readonly sinceMs: number;
  readonly untilMs?: number;
  readonly names?: readonly string[];
  readonly states: readonly DeliveryState[];
  /** Only those whose ids come after this one. */
  readonly afterDelivery?: string | undefined;
}

interface Resent {
  readonly jobs: readonly DeliveryJob[];
  /** Where more have ended: the last one that was resent. */
  readonly last: string | undefined;
}

export interface ResendNeeds<Stored extends DeliveryProgress> {
  readonly deliveries: {
    findProgress(subscription: Subscription, id: string): Promise<Stored | undefined>;
    progressPages(
      subscription: Subscription,
      stretch: { readonly sinceMs: number; readonly untilMs: number; readonly after: string | undefined },
    ): AsyncIterable<readonly DeliveryProgress[]>;
    /** False: the delivery has changed since it was read. */
    saveNewRound(subscription: Subscription, stored: Stored, nowMs: number): Promise<boolean>;
  };
}

/** Begins new rounds of attempts by hand, and returns the job of the first attempt of each. */
export const resending = <Stored extends DeliveryProgress>({ deliveries }: ResendNeeds<Stored>) => {
  /**
   * A round without an attempt goes on, in case its first job was lost; any other gives way to a new one, also while it is under way. Undefined: no
   * such delivery, one that is no longer kept or not meant, or a test, which is never resent.
   */
  const resend = async (
    accountId: string,
    subscription: Subscription,
    id: string,
    nowMs: number,
    isMeant: (stored: DeliveryProgress) => boolean = () => true,
  ): Promise<DeliveryJob | undefined> => {
    const stored = await deliveries.findProgress(subscription, id);
    if (stored?.eventId === undefined || timeOfId(id) < keptSinceMs(nowMs) || !isMeant(stored)) return undefined;
    const isReady = isUntried(stored) || (await deliveries.saveNewRound(subscription, stored, nowMs));
    if (!isReady) return resend(accountId, subscription, id, nowMs, isMeant);
    return {
      account: accountId,
      webhook: subscription.id,
      delivery: id,
      attempt: stored.attemptsMade + 1,
      earlierAttempts: stored.attemptsMade,
      lane: 'fast',
    };
  };

  return {
    resend,

    /**
     * Resends deliveries that have ended, a thousand at most, the oldest first, and new rounds without an attempt among them: an earlier call may
     * have died before it queued these. Tests take no place of the thousand.
     */
    resendEnded: async (
      accountId: string,
      subscription: Subscription,
      { sinceMs, untilMs = Number.MAX_SAFE_INTEGER, names, states, afterDelivery: after }: Ended,
      nowMs: number,
    ): Promise<Resent> => {
      const ended: DeliveryProgress[] = [];
      const untried: DeliveryProgress[] = [];
      for await (const page of deliveries.progressPages(subscription, { sinceMs, untilMs, after })) {
        const meant = page.filter(({ event, eventId }) => eventId !== undefined && (names?.includes(event) ?? true));
        ended.push(...meant.filter(({ state }) => states.includes(state)));
        untried.push(...meant.filter(isUntriedRound));
        if (ended.length > mostResent) break;
      }
      const last = ended.length > mostResent ? ended[mostResent - 1]?.id : undefined;
      const before = untried.filter(({ id }) => last === undefined || id < last);
      const chosen = [...ended.slice(0, mostResent), ...before.slice(0, mostResent)];
      const jobs = await inParts(chosen, resentAtATime, ({ id }) =>
        resend(accountId, subscription, id, nowMs, isStillMeant),
      );
      return { jobs: jobs.filter((job) => job !== undefined), last };
    },
  };
};

const isUntried = ({ state, attemptsMade, earlierAttempts }: DeliveryProgress): boolean =>
  state === 'pending' && attemptsMade === earlierAttempts;

const isUntriedRound = (delivery: DeliveryProgress): boolean => delivery.isResent && isUntried(delivery);

/** Another call may have resent a delivery since it was found to have ended: its new round is under way. */
const isStillMeant = (delivery: DeliveryProgress): boolean => delivery.state !== 'pending' || isUntried(delivery);
