import { setTimeout as sleep } from 'node:timers/promises';

const retryAfterMs = 500;
const endWithinMs = 3_000;

export interface MappingLife {
  /** Comes when the mapping ends. */
  readonly signal: AbortSignal;
  /** Waits, unless the end comes first. */
  pause(milliseconds: number): Promise<void>;
  /** Does the work, again and again until it works; undefined when the end came first. */
  insist<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
  /** Ends the mapping, and waits a little for what it is at. */
  end(work: Promise<unknown>): Promise<void>;
}

/** The life of an event source mapping. A trouble is reported once for as long as it stays the same. */
export const beginLife = (mappingId: string, report: (line: string) => void = console.error): MappingLife => {
  const ending = new AbortController();
  const { signal } = ending;
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal }).catch(() => {});
  let lastReason = '';

  const complain = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== lastReason && !signal.aborted) report(`Event source mapping ${mappingId} tries again: ${reason}`);
    lastReason = reason;
  };

  const insist = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    do {
      try {
        return await work();
      } catch (error) {
        complain(error);
        await pause(retryAfterMs);
      }
    } while (!signal.aborted);
    return undefined;
  };

  const end = async (work: Promise<unknown>): Promise<void> => {
    ending.abort();
    const done = new AbortController();
    const patience = sleep(endWithinMs, undefined, { signal: done.signal }).catch(() => {});
    await Promise.race([work, patience]);
    done.abort();
  };

  return { signal, pause, insist, end };
};
