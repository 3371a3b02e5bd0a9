import { everyId } from '../../shared/table/every-id.ts';

/** Every time: what is open is in the index by when it is due next. */
export const always = { ...everyId, newestFirst: false };
