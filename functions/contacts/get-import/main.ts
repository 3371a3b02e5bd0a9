import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getImportContract } from './contract.ts';
import { getImport } from './handler.ts';

export const handler = endpoint(
  getImportContract,
  getImport({
    contactImports: live.contactImports(),
    importFiles: live.importFiles(),
    transfersQueue: live.transfersQueue(),
  }),
  callersOf('contacts/get-import'),
);
