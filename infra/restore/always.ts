import { firstIdAt, lastIdAt } from '../../shared/kit/id.ts';

/** Every time: what is open is in the index by when it is due next. */
export const always = { from: firstIdAt(0), to: lastIdAt(Number.MAX_SAFE_INTEGER), newestFirst: false };
