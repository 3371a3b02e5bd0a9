import { envelope, type Surface } from './surface.ts';

/** Callers without an API key: anyone or, on the admin API, an operator whom API Gateway has authorized already. */
export const keylessSurface: Surface<object> = {
  identify: async () => ({ who: {}, headers: {} }),
  faultBody: envelope,
};
