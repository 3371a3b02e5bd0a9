export interface Rate {
  /** Whether one more call fits. */
  take(): boolean;
}

/** At most this many calls a second: a token bucket that holds one second, and at least one call. */
export const openRate = (perSecond: number, nowMs: () => number = () => performance.now()): Rate => {
  const most = Math.max(1, perSecond);
  let [tokens, atMs] = [most, nowMs()];
  return {
    take: () => {
      tokens = Math.min(most, tokens + ((nowMs() - atMs) / 1_000) * perSecond);
      atMs = nowMs();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
};
