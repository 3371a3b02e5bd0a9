import type { Channel, Status } from './message.ts';
import type { Recipient } from './recipient.ts';

/** What a list of messages is limited to. Times are included. */
export interface MessageFilter {
  readonly channel?: Channel | undefined;
  readonly status?: Status | undefined;
  readonly to?: Recipient['contact'] | undefined;
  readonly createdAfterMs?: number | undefined;
  readonly createdBeforeMs?: number | undefined;
}

/** A query's filter: of the list, and of an export of it. */
interface Asked extends Pick<MessageFilter, 'channel' | 'status' | 'to'> {
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
}

export const messageFilter = ({ channel, status, to, createdAfter, createdBefore }: Asked): MessageFilter => ({
  channel,
  status,
  to,
  createdAfterMs: createdAfter,
  createdBeforeMs: createdBefore,
});
