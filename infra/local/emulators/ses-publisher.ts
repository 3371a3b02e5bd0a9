import type { SesNotification } from './ses-notification.ts';
import type { MailStore, Outgoing } from './ses-store.ts';

/** Waits before a refused notification is offered again; after the last it is given up. */
const retryDelaysMs = [250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/** Returns, or resolves, once it has the notification; by throwing or rejecting it asks to be offered it again. */
export type OnNotification = (notification: SesNotification) => void | Promise<void>;

/**
 * Hands stored notifications over when they are due: one mail's in order, different mails' side by side.
 * Each stays stored until it has been taken, so one may come twice but none is lost.
 */
export function startPublisher(store: Pick<MailStore, 'outgoing' | 'saveOutgoing'>, onNotification: OnNotification) {
  const timers = new Map<string, NodeJS.Timeout>();
  let closed = false;

  const schedule = (outgoing: Outgoing) => {
    const timer = setTimeout(() => handOver(outgoing), Math.max(0, outgoing.dueAtMs - Date.now()));
    timers.set(outgoing.messageId, timer);
  };

  const handOver = async (outgoing: Outgoing) => {
    const remaining = await offerFirst(outgoing, onNotification);
    if (closed) return;
    store.saveOutgoing(remaining);
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

async function offerFirst(outgoing: Outgoing, onNotification: OnNotification): Promise<Outgoing> {
  const [notification, ...rest] = outgoing.notifications;
  if (!notification) return outgoing;
  try {
    await onNotification(notification);
  } catch (error) {
    const delayMs = retryDelaysMs[outgoing.failures];
    if (delayMs !== undefined) return { ...outgoing, failures: outgoing.failures + 1, dueAtMs: Date.now() + delayMs };
    console.error(`The ${notification.eventType} notification of mail ${outgoing.messageId} is given up.`, error);
  }
  return { ...outgoing, notifications: rest, failures: 0 };
}
