import { dayMs, hourMs, minuteMs } from '../../shared/kit/time-units.ts';
import { type Random, randomIn } from './random.ts';

/** Of so many worlds one goes on for days after all is quiet. */
const worldsPerDays = 125;
const placeOfDays = 25;
/** How long after the beginning of a world its days begin, and how many there are. */
const daysAfterMs = dayMs;
export const dayCount = 7;
/** Of many hours, the first minutes are stormy. */
const stormyMs = 10 * minuteMs;
const stormChance = 0.6;
/** Nothing fails in the last hours. */
const calmMs = 12 * hourMs;

export const hasDays = (seed: number): boolean => seed % worldsPerDays === placeOfDays;

/** In half of these worlds, a subscription fails for days. */
export const hasFailingHook = (seed: number): boolean => seed % (2 * worldsPerDays) === placeOfDays;

export const daysStartMs = (startMs: number): number => startMs + daysAfterMs;

/** Whether faults happen at a time of the days. Their work has come to its end before the next hour. */
export const stormsIn = (seed: number, startMs: number): ((nowMs: number) => boolean) => {
  if (!hasDays(seed)) return () => false;
  const firstMs = daysStartMs(startMs);
  const stormy = new Set(
    Array.from({ length: (dayCount * dayMs - calmMs) / hourMs }, (_, hour) => hour).filter((hour) =>
      randomIn(seed, `storm ${hour}`).isChance(stormChance),
    ),
  );
  return (nowMs) => {
    const sinceMs = nowMs - firstMs;
    return sinceMs >= 0 && sinceMs % hourMs < stormyMs && stormy.has(Math.floor(sinceMs / hourMs));
  };
};

/** A time in the first minutes of some hour of a stretch: in a storm, if there is one. */
export const atHour = (chance: Random, fromMs: number, lengthMs: number): number =>
  Math.floor((fromMs + chance.below(lengthMs)) / hourMs) * hourMs + chance.below(stormyMs);
