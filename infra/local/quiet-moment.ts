import { EventEmitter, once } from 'node:events';
import { setTimeout as waitFor } from 'node:timers/promises';
import type { Functions } from './functions.ts';

type Invoke = Functions['invoke'];

/** What a function has written or queued calls the next one within this time, unless it is to wait. */
const calmMs = 400;

/** Calls the functions, and finds moments in which none of them runs. */
export const openQuietMoments = (invoke: Invoke) => {
  const events = new EventEmitter().setMaxListeners(0);
  let running = 0;
  let isAwaited = false;
  let lastMs = 0;

  const foreground: Invoke = async (...call) => {
    running += 1;
    try {
      return await invoke(...call);
    } finally {
      running -= 1;
      lastMs = performance.now();
      if (running === 0) events.emit('quiet');
    }
  };

  /** For what queues, streams, schedules and topics start: it waits while a quiet moment is awaited. */
  const background: Invoke = async (...call) => {
    while (isAwaited) await once(events, 'over');
    return foreground(...call);
  };

  return {
    foreground,
    background,
    /** Waits until nothing that began goes on, `withinMs` at most. */
    calm: async (withinMs: number): Promise<void> => {
      const startMs = performance.now();
      const endMs = startMs + withinMs;
      for (;;) {
        const nowMs = performance.now();
        const leftMs = running > 0 ? calmMs : Math.max(lastMs, startMs) + calmMs - nowMs;
        if (leftMs <= 0 || nowMs >= endMs) return;
        await waitFor(Math.min(leftMs, endMs - nowMs));
      }
    },
    /** Does this at a moment in which no function runs. Undefined: there was none in this time, or another awaits it. */
    next: async <Result>(work: () => Result, withinMs: number): Promise<Result | undefined> => {
      if (isAwaited) return undefined;
      isAwaited = true;
      const moment = Promise.withResolvers<Result | undefined>();
      const act = (): void => {
        try {
          moment.resolve(work());
        } catch (thrown) {
          moment.reject(thrown);
        }
      };
      const timer = setTimeout(() => moment.resolve(undefined), withinMs);
      events.once('quiet', act);
      if (running === 0) events.emit('quiet');
      try {
        return await moment.promise;
      } finally {
        clearTimeout(timer);
        events.off('quiet', act);
        isAwaited = false;
        events.emit('over');
      }
    },
  };
};
