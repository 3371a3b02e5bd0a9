import { causeOf, log } from '../../../shared/kit/log.ts';
import { slowAfterMs } from '../../../shared/webhooks/pace.ts';

/** Calls through this tell once, as soon as one of them takes longer than a quick target does. */
export const watchSlow = (tell: (tookMs: number) => Promise<void>) => {
  let isTold = false;
  const tellOnce = (): void => {
    if (isTold) return;
    isTold = true;
    // The answer itself will tell it later.
    tell(slowAfterMs + 1).catch((thrown) => log('warn', 'slow target not told', causeOf(thrown)));
  };
  return async <Result>(call: () => Promise<Result>): Promise<Result> => {
    const timer = setTimeout(tellOnce, slowAfterMs);
    try {
      return await call();
    } finally {
      clearTimeout(timer);
    }
  };
};

export type Watched = ReturnType<typeof watchSlow>;
