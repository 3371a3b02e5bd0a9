import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listMessagesContract } from './contract.ts';
import { listMessages } from './handler.ts';

export const handler = endpoint(
  listMessagesContract,
  listMessages({ messages: live.messages() }),
  callersOf('messages/list-messages'),
);
