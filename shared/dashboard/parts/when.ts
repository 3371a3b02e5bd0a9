import { serverNow } from '../server-time.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** A time as a `datetime-local` field takes it, in the viewer's zone. */
export const localText = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;

/** The instant of a `datetime-local` field; undefined where it is empty. */
export const instantIn = (text: string): string | undefined => (text ? new Date(text).toISOString() : undefined);

/** Midnight in the viewer's zone, some days ago. */
export const midnight = (daysAgo = 0): Date => {
  const now = serverNow();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
};
