import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { replayEventsContract } from './contract.ts';
import { replayEvents } from './handler.ts';

export const handler = endpoint(
  replayEventsContract,
  replayEvents({
    webhooks: live.webhooks(),
    events: live.events(),
    deliveries: live.deliveries(),
    rates: live.rates(),
    replaysQueue: live.replaysQueue(),
  }),
  callersOf('webhooks/replay-events'),
);
