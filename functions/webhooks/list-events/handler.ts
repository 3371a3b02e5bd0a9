import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import type { EventStore } from '../../../shared/table/webhooks/event-store.ts';
import { eventNames } from '../../../shared/webhooks/events.ts';
import type { listEventsContract } from './contract.ts';

export interface ListEventsNeeds {
  readonly events: Pick<EventStore, 'list'>;
}

/** What happened, in the order in which it was written, for a receiver that missed deliveries. */
export const listEvents =
  ({ events }: ListEventsNeeds) =>
  async ({ account, query, nowMs }: Input<typeof listEventsContract>): Promise<Reply<typeof listEventsContract>> => {
    const { since = 0, types = eventNames, cursor, limit } = query;
    const found = await events.list(account, { sinceMs: since, names: types, after: cursor, limit }, nowMs);
    if (!found) throw new Fault('invalid_request', 'cursor: no event of the last 30 days has this id');
    const { payloads, next } = found;
    return {
      data: payloads.map((payload) => new JsonText(payload)),
      pagination: { cursor: next ?? null, hasMore: next !== undefined },
    };
  };
