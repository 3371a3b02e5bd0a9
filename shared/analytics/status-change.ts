import type { Channel, Status } from '../messages/message.ts';
import type { Price } from '../messages/new-message.ts';
import { countName, takenName } from './counts.ts';

/** What a message counts as: its status, and the credits that it has cost. */
export interface Standing {
  readonly status: Status;
  readonly price: Price;
}

/** What happened to one message; without `before` it came, without `after` it went. */
export interface StatusChange {
  readonly account: string;
  readonly id: string;
  readonly channel: Channel;
  readonly before: Standing | undefined;
  readonly after: Standing | undefined;
  /** Grows, as text, with every change of a message. */
  readonly sequence: string;
}

/** Up to where a message's changes are counted, and as what it is. */
export interface Counted {
  readonly sequence: string;
  readonly standing: Standing | undefined;
}

/**
 * The one change that all of a message's changes come to which are not counted yet; undefined when all are. `counted` may be forgotten when
 * its changes cannot be told again.
 */
export const uncounted = (changes: readonly StatusChange[], counted: Counted | undefined): StatusChange | undefined => {
  const news = changes.filter(({ sequence }) => !counted || sequence > counted.sequence);
  const last = news.at(-1);
  return last && { ...last, before: counted ? counted.standing : news[0]?.before };
};

/** What a change does to the counts. */
export const effectOf = ({ channel, before, after }: StatusChange): (readonly [name: string, number: number])[] => [
  ...(before ? counted(channel, before, -1) : []),
  ...(after ? counted(channel, after, 1) : []),
];

const counted = (channel: Channel, { status, price }: Standing, times: 1 | -1) => [
  [countName(channel, status), times] as const,
  [takenName(price.counter), times * price.credits] as const,
];
