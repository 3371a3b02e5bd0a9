export interface Rate {
  /** Whether one more call fits. */
  take(): boolean;
}

/** At most this many calls a second: a token bucket that holds one second. */
export const openRate = (perSecond: number, nowMs: () => number = () => performance.now()): Rate => {
  let [tokens, atMs] = [perSecond, nowMs()];
  return {
    take: () => {
      tokens = Math.min(perSecond, tokens + ((nowMs() - atMs) / 1_000) * perSecond);
      atMs = nowMs();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
};
