import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { rescheduleMessageContract } from './contract.ts';
import { rescheduleMessage } from './handler.ts';

export const handler = endpoint(
  rescheduleMessageContract,
  rescheduleMessage({ messages: live.messages(), scheduled: live.scheduled() }),
  callersOf('messages/reschedule-message'),
);
