import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { syncTemplatesContract } from './contract.ts';
import { syncTemplates } from './handler.ts';

export const handler = endpoint(
  syncTemplatesContract,
  syncTemplates({
    accounts: live.accounts(),
    whatsappSettings: live.whatsappSettings(),
    metaTemplates: live.metaTemplates,
    templateSync: live.templateSync(),
  }),
  callersOf('admin/sync-templates'),
);
