import { derivedId } from '../kit/id.ts';

/** `cancelled`: the subscription was paused before the delivery ended. It is in neither total, and can be sent again. */
export const deliveryStates = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The result of one call to a target. Status 0: no complete answer, and the body is the reason. */
export interface Answer {
  readonly statusCode: number;
  /** In milliseconds, from the look-up of the name to the last byte. */
  readonly responseTime: number;
  readonly responseBody: string;
}

export interface Attempt extends Answer {
  /** When it began, in milliseconds since 1970. */
  readonly startedMs: number;
}

/** An attempt in its delivery's record. */
export interface RecordedAttempt extends Attempt {
  /** The first is 1. */
  readonly number: number;
}

export const isSuccess = ({ statusCode }: Pick<Answer, 'statusCode'>): boolean =>
  statusCode >= 200 && statusCode <= 299;

/** The delivery of one event to one subscription. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  /** Missing on a test. */
  readonly eventId: string | undefined;
  /** The number of the event for its subscription. 0: it has none, because the subscription did not want it when it happened, or it is a test. */
  readonly sequence: number;
  /** The raw body of a test. An event's is kept once, with the event. */
  readonly payload: string | undefined;
  readonly state: DeliveryState;
  /** The first attempt and the last nine, so that a delivery that is sent again and again stays small. */
  readonly attempts: readonly RecordedAttempt[];
  /** How many were made in all. */
  readonly attemptsMade: number;
  /** How many attempts were made before the delivery was sent again by hand; its rounds are counted apart. */
  readonly earlierAttempts: number;
  /** Where the subscription's totals have this delivery. */
  readonly countedAs: Total | undefined;
  /** How often the subscription had been paused when this round began: a later pause cancels it. */
  readonly pauses: number;
}

export type Total = 'totalSent' | 'totalFailed';

/** How a delivery stands, without what its target answered. */
export interface DeliveryProgress
  extends Pick<Delivery, 'id' | 'event' | 'eventId' | 'state' | 'attemptsMade' | 'earlierAttempts'> {
  /** A new round was begun by hand. */
  readonly isResent: boolean;
}

/** A delivery with the last thing that happened to it. */
export interface DeliverySummary extends Pick<Delivery, 'id' | 'webhookId' | 'event' | 'state' | 'attemptsMade'> {
  readonly last: Pick<Attempt, 'statusCode' | 'startedMs'> | undefined;
}

/** What of a subscription decides about its deliveries. */
export interface Subscription {
  readonly id: string;
  readonly isActive: boolean;
  /** How often it was paused. */
  readonly pauses: number;
}

/** A pause cancels pending deliveries at once, though a delivery's item records it only when its next attempt is due. */
export const stateUnder = (
  { isActive, pauses }: Pick<Subscription, 'isActive' | 'pauses'>,
  stored: Pick<Delivery, 'state' | 'pauses'>,
): DeliveryState => {
  const wasPaused = !isActive || stored.pauses !== pauses;
  return stored.state === 'pending' && wasPaused ? 'cancelled' : stored.state;
};

/** A delivery without an attempt. */
export const newDelivery = (
  parts: Pick<Delivery, 'id' | 'webhookId' | 'event'> &
    Partial<Pick<Delivery, 'eventId' | 'sequence' | 'payload' | 'pauses'>>,
): Delivery => ({
  eventId: undefined,
  sequence: 0,
  payload: undefined,
  state: 'pending',
  attempts: [],
  attemptsMade: 0,
  earlierAttempts: 0,
  countedAs: undefined,
  pauses: 0,
  ...parts,
});

/** The same event always goes to the same subscription under the same id; ids are in the order of their events. */
export const deliveryId = (eventId: string, webhookId: string, eventMs: number): string =>
  derivedId(eventMs, `${eventId}#${webhookId}`);

const lastAttemptsKept = 9;

const kept = <T>(attempts: readonly T[]): readonly T[] =>
  attempts.length <= 1 + lastAttemptsKept ? attempts : [...attempts.slice(0, 1), ...attempts.slice(-lastAttemptsKept)];

/** A delivery that was cancelled during its attempt stays so, unless the attempt ended it. */
const stateAfter = (delivery: Delivery, attempt: Answer, mostAttempts: number): DeliveryState => {
  if (isSuccess(attempt)) return 'succeeded';
  return delivery.attemptsMade + 1 - delivery.earlierAttempts < mostAttempts ? delivery.state : 'failed';
};

/**
 * Every delivery that has ended is in one of the totals, once: in `totalSent` if it has ever succeeded, so that sending a failed one again
 * may move it there.
 */
const totalAfter = ({ countedAs }: Pick<Delivery, 'countedAs'>, state: DeliveryState): Total | undefined => {
  if (state === 'succeeded') return 'totalSent';
  return state === 'failed' ? (countedAs ?? 'totalFailed') : countedAs;
};

/** A delivery with one more attempt. `mostAttempts`: how many a round has. */
export const withAttempt = (delivery: Delivery, attempt: Attempt, mostAttempts: number): Delivery => {
  const number = delivery.attemptsMade + 1;
  const state = stateAfter(delivery, attempt, mostAttempts);
  return {
    ...delivery,
    state,
    attempts: kept([...delivery.attempts, { ...attempt, number }]),
    attemptsMade: number,
    countedAs: totalAfter(delivery, state),
  };
};
