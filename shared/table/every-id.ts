import { firstIdAt, lastIdAt } from '../kit/id.ts';

/** The stretch of all ids. */
export const everyId = { from: firstIdAt(0), to: lastIdAt(Number.MAX_SAFE_INTEGER) };

/** The stretch of the ids up to a time. */
export const idsUntil = (untilMs: number) => ({ ...everyId, to: lastIdAt(untilMs) });
