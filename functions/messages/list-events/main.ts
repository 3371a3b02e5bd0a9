import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listEventsContract } from './contract.ts';
import { listEvents } from './handler.ts';

export const handler = endpoint(
  listEventsContract,
  listEvents({
    messages: live.messages(),
    webhooks: live.webhooks(),
    events: live.events(),
    deliveries: live.deliveries(),
  }),
  callersOf('messages/list-events'),
);
