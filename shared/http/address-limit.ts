import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { minuteMs } from '../kit/time-units.ts';
import { clientAt } from './client-address.ts';

export interface AddressLimit {
  /** What is counted: each has counts of its own. */
  readonly of: string;
  readonly perMinute: number;
  /** Calls that a warm function counts in memory before it writes them to the table. */
  readonly step: number;
}

interface Rates {
  /** Counts calls of this subject. Returns its calls in this minute. */
  count(subject: string, nowMs: number, counted: { readonly calls: number }): Promise<number>;
}

/** The calls of an address in this minute, as this warm function knows them. */
interface Known {
  calls: number;
  isOver: boolean;
}

export type LimitAddress = (event: APIGatewayProxyEventV2, nowMs: number) => Promise<number | undefined>;

/**
 * Limits the calls of one client address in a minute. It gives the seconds to wait, or undefined when the call may go on. The limit is not
 * exact: each warm function writes its count in steps, so that a provider's calls cost next to nothing. An address over its limit is refused
 * for the rest of the minute without a call of the table.
 */
export const addressLimit = (rates: Rates, { of, perMinute, step }: AddressLimit): LimitAddress => {
  let minute = -1;
  let known = new Map<string, Known>();
  return async ({ requestContext }, nowMs) => {
    if (Math.floor(nowMs / minuteMs) !== minute) {
      minute = Math.floor(nowMs / minuteMs);
      known = new Map();
    }
    const address = clientAt(requestContext.http.sourceIp);
    const seen = known.get(address) ?? { calls: 0, isOver: false };
    known.set(address, seen);
    seen.calls += 1;
    if (!seen.isOver && seen.calls % step === 0)
      seen.isOver = (await rates.count(`${of} ${address}`, nowMs, { calls: step })) > perMinute;
    return seen.isOver ? Math.ceil(((minute + 1) * minuteMs - nowMs) / 1_000) : undefined;
  };
};

/**
 * Providers call from few addresses. An account that sends 1,000 texts a second gets as many reports, of one gateway perhaps from a single
 * address: so this many pass. What comes beyond is a flood. Providers repeat what they were refused with 429.
 */
export const callbacksOfAddress: AddressLimit = { of: 'callbacks', perMinute: 60_000, step: 25 };

/** Mail services unsubscribe for all their users from few addresses; after a mail to a million that is some hundreds a minute. */
export const unsubscribesOfAddress: AddressLimit = { of: 'unsubscribe', perMinute: 1_200, step: 4 };
