import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for the work, and no longer than this. What has not ended by then goes on. */
export const waitBriefly = async (work: Promise<unknown>, mostMs: number): Promise<void> => {
  const done = new AbortController();
  const patience = sleep(mostMs, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([work, patience]).finally(() => done.abort());
};
