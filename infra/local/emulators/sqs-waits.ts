import type { SqsQueue, SqsStore } from './sqs-parts.ts';

/** Whether a consumer works on the message with this receipt handle. */
export type SqsHold = (receiptHandle: string) => boolean;

/**
 * After `Date` moved ahead: messages that a consumer holds stay hidden for as long as they would have, and all others wait so much less.
 * Returns how many became visible.
 */
export const catchUp = (store: SqsStore, skippedMs: number, isHeld: SqsHold): number => {
  const nowMs = Date.now();
  return [...store.allQueues()].reduce((sum, queue) => {
    keepHeld(queue, nowMs - skippedMs, isHeld);
    return sum + becomeVisible(queue, nowMs);
  }, 0);
};

const keepHeld = (queue: SqsQueue, beforeMs: number, isHeld: SqsHold): void => {
  for (const { receiptHandle, visibilityDeadline } of queue.inflightMessages.values())
    if (isHeld(receiptHandle) && visibilityDeadline > beforeMs)
      queue.changeVisibility(receiptHandle, (visibilityDeadline - beforeMs) / 1_000);
};

const becomeVisible = (queue: SqsQueue, nowMs: number): number => {
  const delayed = queue.delayedMessages.filter(({ delayUntil = 0 }) => delayUntil <= nowMs);
  const hidden = [...queue.inflightMessages.values()].filter(({ visibilityDeadline }) => visibilityDeadline <= nowMs);
  queue.processTimers();
  return delayed.length + hidden.length;
};
