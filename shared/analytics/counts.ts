import type { CreditCounter } from '../accounts/credits.ts';
import type { Channel, Status } from '../messages/message.ts';

/** Numbers of messages, by `countName`. */
export type Counts = ReadonlyMap<string, number>;

export const countName = (channel: Channel, status: Status): string => `${channel}#${status}`;

const taken = 'taken#';

/** The credits that the messages cost on this counter, minus returned ones. */
export const takenName = (counter: CreditCounter): string => `${taken}${counter}`;

/** How many messages there are by their counts, in every channel and status. */
export const messagesIn = (parts: readonly (readonly [name: string, number: number])[]): number =>
  parts.reduce((sum, [name, number]) => sum + (name.startsWith(taken) ? 0 : number), 0);

/** Adds up counts with the same name. */
export const addUp = (parts: Iterable<readonly [name: string, number: number]>): Counts => {
  const sums = new Map<string, number>();
  for (const [name, number] of parts) sums.set(name, (sums.get(name) ?? 0) + number);
  return sums;
};
