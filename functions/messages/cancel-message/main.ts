import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { cancelMessageContract } from './contract.ts';
import { cancelMessage } from './handler.ts';

export const handler = endpoint(
  cancelMessageContract,
  cancelMessage({ messages: live.messages(), scheduled: live.scheduled() }),
  callersOf('messages/cancel-message'),
);
