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
  /** Increases, as text, with every change of a message. */
  readonly sequence: string;
}

/** The last counted change of a message, and its counted values. */
export interface Counted {
  readonly sequence: string;
  readonly standing: Standing | undefined;
}

/**
 * The net effect of a message's uncounted changes; undefined when all are counted. `counted` may be deleted when the stream can no longer
 * repeat the changes.
 */
export const uncounted = (changes: readonly StatusChange[], counted: Counted | undefined): StatusChange | undefined => {
  const news = changes.filter(({ sequence }) => !counted || sequence > counted.sequence);
  const last = news.at(-1);
  return last && { ...last, before: counted ? counted.standing : news[0]?.before };
};

/** The effect of a change on the counts. */
export const effectOf = ({ channel, before, after }: StatusChange): (readonly [name: string, number: number])[] => [
  ...(before ? counted(channel, before, -1) : []),
  ...(after ? counted(channel, after, 1) : []),
];

const counted = (channel: Channel, { status, price }: Standing, times: 1 | -1) => [
  [countName(channel, status), times] as const,
  [takenName(price.counter), times * price.credits] as const,
];
