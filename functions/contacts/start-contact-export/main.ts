import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { startContactExportContract } from './contract.ts';
import { startContactExport } from './handler.ts';

export const handler = endpoint(
  startContactExportContract,
  startContactExport({
    contactExports: live.contactExports(),
    rates: live.rates(),
    transfersQueue: live.transfersQueue(),
  }),
  callersOf('contacts/start-contact-export'),
);
