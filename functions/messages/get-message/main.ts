import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getMessageContract } from './contract.ts';
import { getMessage } from './handler.ts';

export const handler = endpoint(
  getMessageContract,
  getMessage({ messages: live.messages() }),
  callersOf('messages/get-message'),
);
