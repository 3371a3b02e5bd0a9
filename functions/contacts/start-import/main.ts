import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { startImportContract } from './contract.ts';
import { startImport } from './handler.ts';

export const handler = endpoint(
  startImportContract,
  startImport({
    contactImports: live.contactImports(),
    importFiles: live.importFiles(),
    rates: live.rates(),
    transfersQueue: live.transfersQueue(),
  }),
  callersOf('contacts/start-import'),
);
