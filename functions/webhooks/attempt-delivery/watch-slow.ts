import { causeOf, log } from '../../../shared/kit/log.ts';
import { slowAfterMs } from '../../../shared/webhooks/pace.ts';

/** Calls through this report once, as soon as one of them takes longer than a quick target does. */
export const watchSlow = (report: (tookMs: number) => Promise<void>) => {
  let isReported = false;
  const reportOnce = (): void => {
    if (isReported) return;
    isReported = true;
    // The answer itself will report it later.
    report(slowAfterMs + 1).catch((thrown) => log('warn', 'slow target not reported', causeOf(thrown)));
  };
  return async <Result>(call: () => Promise<Result>): Promise<Result> => {
    const timer = setTimeout(reportOnce, slowAfterMs);
    try {
      return await call();
    } finally {
      clearTimeout(timer);
    }
  };
};

export type Watched = ReturnType<typeof watchSlow>;
