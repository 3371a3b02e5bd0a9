import { envelope, type Surface } from './surface.ts';

/** Anyone, without a key. */
export const keylessSurface: Surface<object> = {
  identify: async () => ({ who: {}, headers: {} }),
  faultBody: envelope,
};
