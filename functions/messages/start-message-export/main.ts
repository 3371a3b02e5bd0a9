import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { startMessageExportContract } from './contract.ts';
import { startMessageExport } from './handler.ts';

export const handler = endpoint(
  startMessageExportContract,
  startMessageExport({
    messageExports: live.messageExports(),
    rates: live.rates(),
    transfersQueue: live.transfersQueue(),
  }),
  callersOf('messages/start-message-export'),
);
