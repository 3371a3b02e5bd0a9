import { roundJob } from '../../../shared/accounts/round.ts';
import * as live from '../../../shared/live.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { syncWhatsappTemplates } from './handler.ts';

export const handler = queueWorker(
  roundJob,
  syncWhatsappTemplates({
    accounts: live.accounts(),
    whatsappSettings: live.whatsappSettings(),
    metaTemplates: live.metaTemplates,
    templateSync: live.templateSync(),
    templateSyncs: live.templateSyncs(),
  }),
);
