import * as z from 'zod';

const units = [
  { name: 'day', letter: 'd', seconds: 86_400 },
  { name: 'hour', letter: 'h', seconds: 3_600 },
  { name: 'minute', letter: 'm', seconds: 60 },
  { name: 'second', letter: 's', seconds: 1 },
] as const;

/** `1d12h`: the units in this order, each at most once. */
const shape = new RegExp(`^${units.map(({ letter }) => `(?:(\\d{1,9})${letter})?`).join('')}$`);
const instant = z.iso.datetime({ offset: true });

/** The milliseconds from now to the end of `90s`, `15m`, `1h`, `2d` or `1d12h`, or to a time with its zone. Undefined: it is neither. */
export const millisecondsUntil = (text: string, nowMs: number): number | undefined => {
  if (instant.safeParse(text).success) return Date.parse(text) - nowMs;
  const counts = shape.exec(text)?.slice(1);
  if (text === '' || !counts) return undefined;
  return units.reduce((sum, { seconds }, n) => sum + Number(counts[n] ?? 0) * seconds, 0) * 1_000;
};

/** `1 day 2 hours`, without units of zero. */
export const durationWords = (totalSeconds: number): string => {
  let left = Math.round(totalSeconds);
  const words = units.flatMap(({ name, seconds }) => {
    const count = Math.floor(left / seconds);
    left %= seconds;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  });
  return words.join(' ') || '0 seconds';
};
