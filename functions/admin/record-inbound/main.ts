import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { recordInboundContract } from './contract.ts';
import { recordInbound } from './handler.ts';

export const handler = endpoint(
  recordInboundContract,
  recordInbound({ accounts: live.accounts(), inboundReceiver: live.inboundReceiver() }),
  callersOf('admin/record-inbound'),
);
