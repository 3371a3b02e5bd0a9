import { firstIdAt, lastIdAt } from '../kit/id.ts';

/** The stretch of all ids. */
export const everyId = { from: firstIdAt(0), to: lastIdAt(Number.MAX_SAFE_INTEGER) };
