import type { Channel, Status } from '../messages/message.ts';
import type { Price } from '../messages/new-message.ts';
import { countName, takenName } from './counts.ts';

/** The counted values of a message: its status and its credits. */
export interface Standing {
  readonly status: Status;
  readonly price: Price;
}

/** A change of one message; without `before` it was created, without `after` deleted. */
export interface StatusChange {
  readonly account: string;
  readonly id: string;
  readonly channel: Channel;
  readonly before: Standing | undefined;
  readonly after: Standing | undefined;
  /** The table's partition that the message lies in. */
  readonly partition: string;
  /** Increases, as text, with every change of a message. */
  readonly sequence: string;
  /** When it was written, to the second. */
  readonly atMs: number;
}

/** The effect of a change on the counts. The effects of a message's changes add up to its last standing, in any order. */
export const effectOf = ({ channel, before, after }: StatusChange): (readonly [name: string, number: number])[] => [
  ...(before ? counted(channel, before, -1) : []),
  ...(after ? counted(channel, after, 1) : []),
];

const counted = (channel: Channel, { status, price }: Standing, times: 1 | -1) => [
  [countName(channel, status), times] as const,
  [takenName(price.counter), times * price.credits] as const,
];
