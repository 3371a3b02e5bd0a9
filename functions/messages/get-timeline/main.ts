import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getTimelineContract } from './contract.ts';
import { getTimeline } from './handler.ts';

export const handler = endpoint(
  getTimelineContract,
  getTimeline({
    messages: live.messages(),
    webhooks: live.webhooks(),
    events: live.events(),
    deliveries: live.deliveries(),
  }),
  callersOf('messages/get-timeline'),
);
