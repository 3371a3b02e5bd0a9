interface Turns {
  /** Resolves to false when no turn is free within `limitMs`. */
  take(limitMs?: number): Promise<boolean>;
  giveBack(): void;
}

/** A semaphore: at most `maximum` turns are held at a time, and callers beyond that wait in order. */
export const startTurns = (maximum: number): Turns => {
  const waiting = new Set<() => void>();
  let taken = 0;

  return {
    take: (limitMs) => {
      if (taken < maximum) {
        taken += 1;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const settle = (isTaken: boolean): void => {
          clearTimeout(timer);
          waiting.delete(begin);
          resolve(isTaken);
        };
        const begin = () => settle(true);
        const timer = limitMs === undefined ? undefined : setTimeout(settle, limitMs, false);
        waiting.add(begin);
      });
    },

    giveBack: () => {
      const [next] = waiting;
      if (next) next();
      else taken -= 1;
    },
  };
};
