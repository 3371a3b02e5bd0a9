import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listEventsContract } from './contract.ts';
import { listEvents } from './handler.ts';

export const handler = endpoint(
  listEventsContract,
  listEvents({ events: live.events() }),
  callersOf('webhooks/list-events'),
);
