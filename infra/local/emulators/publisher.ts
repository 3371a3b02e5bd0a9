import { openComplaints, reasonOf } from '../complaints.ts';

/** Delays before the retries of a refused notification; after the last one it is given up. */
const retryDelaysMs = [250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/** The pending notifications of one message, in order. */
export interface Outgoing<News extends { readonly eventType: string }> {
  readonly messageId: string;
  readonly notifications: readonly News[];
  /** How often the first of them has failed. */
  readonly failures: number;
  readonly dueAtMs: number;
}

export interface OutgoingStore<News extends { readonly eventType: string }> {
  outgoing(): Outgoing<News>[];
  /** Replaces the stored entry of this message; with no notification left, deletes it. */
  saveOutgoing(outgoing: Outgoing<News>): void;
}

/** Returns or resolves when the receiver accepted the notification. Throwing or rejecting causes a retry. */
export type OnNotification<News> = (notification: News, messageId: string) => void | Promise<void>;

/**
 * Publishes stored notifications when they are due: those of one message in order, those of different messages in parallel.
 * Each stays stored until it is accepted, so it may arrive twice but is never lost.
 */
export function startPublisher<News extends { readonly eventType: string }>(
  store: OutgoingStore<News>,
  onNotification: OnNotification<News>,
) {
  const timers = new Map<string, NodeJS.Timeout>();
  const complain = openComplaints();
  let closed = false;

  const schedule = (outgoing: Outgoing<News>) => {
    const timer = setTimeout(() => dispatch(outgoing), Math.max(0, outgoing.dueAtMs - Date.now()));
    timers.set(outgoing.messageId, timer);
  };

  const dispatch = async (outgoing: Outgoing<News>) => {
    const remaining = await offerFirst(outgoing, onNotification);
    if (closed) return;
    try {
      store.saveOutgoing(remaining);
    } catch (error) {
      const reason = reasonOf(error);
      complain(
        reason,
        `The notifications of ${remaining.messageId} cannot be written, and may arrive twice: ${reason}`,
      );
    }
    if (remaining.notifications.length > 0) schedule(remaining);
    else timers.delete(remaining.messageId);
  };

  for (const outgoing of store.outgoing()) schedule(outgoing);
  return {
    schedule,
    close: () => {
      closed = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

async function offerFirst<News extends { readonly eventType: string }>(
  outgoing: Outgoing<News>,
  onNotification: OnNotification<News>,
): Promise<Outgoing<News>> {
  const [notification, ...rest] = outgoing.notifications;
  if (!notification) return outgoing;
  try {
    await onNotification(notification, outgoing.messageId);
  } catch (error) {
    const delayMs = retryDelaysMs[outgoing.failures];
    if (delayMs !== undefined) return { ...outgoing, failures: outgoing.failures + 1, dueAtMs: Date.now() + delayMs };
    console.error(`The ${notification.eventType} notification of ${outgoing.messageId} is given up.`, error);
  }
  return { ...outgoing, notifications: rest, failures: 0 };
}
