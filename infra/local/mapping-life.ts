import type { EventEmitter } from 'node:events';
import { openComplaints, reasonOf } from './complaints.ts';
import { machineNowMs } from './shifted-date.ts';
import { waitBriefly } from './wait-briefly.ts';

const retryAfterMs = 500;
const endWithinMs = 3_000;

export interface MappingLife {
  /** When the mapping began, by the machine's clock. */
  readonly beganAtMs: number;
  /** Aborted when the mapping ends. */
  readonly signal: AbortSignal;
  /** Waits, or returns early when the mapping ends or at the next `write`. */
  pause(milliseconds: number, writes?: EventEmitter): Promise<void>;
  /** Repeats the work until it succeeds; undefined when the mapping ended first. */
  insist<Result>(work: () => Promise<Result>): Promise<Result | undefined>;
  /** Ends the mapping, and waits briefly for the running work. */
  end(work: Promise<unknown>): Promise<void>;
}

/** The life of an event source mapping. Repetitions of the same error are reported once a minute. */
export const beginLife = (mappingId: string, report?: (line: string) => void): MappingLife => {
  const ending = new AbortController();
  const { signal } = ending;
  const beganAtMs = machineNowMs();
  const pause: MappingLife['pause'] = (milliseconds, writes) =>
    new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', over);
        writes?.off('write', over);
        resolve();
      };
      const timer = setTimeout(over, milliseconds);
      signal.addEventListener('abort', over);
      writes?.on('write', over);
      if (signal.aborted) over();
    });
  const complain = openComplaints(report && ((line) => report(String(line))));

  const insist = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    do {
      try {
        return await work();
      } catch (error) {
        const reason = reasonOf(error);
        if (!signal.aborted) complain(reason, `Event source mapping ${mappingId} tries again: ${reason}`);
        await pause(retryAfterMs);
      }
    } while (!signal.aborted);
    return undefined;
  };

  const end = async (work: Promise<unknown>): Promise<void> => {
    ending.abort();
    await waitBriefly(work, endWithinMs);
  };

  return { beganAtMs, signal, pause, insist, end };
};
