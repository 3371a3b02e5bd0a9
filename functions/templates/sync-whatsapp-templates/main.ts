import { roundJob } from '../../../shared/accounts/round.ts';
import * as live from '../../../shared/live.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { syncWhatsappTemplates } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  queueWorker(
    roundJob,
    syncWhatsappTemplates({
      accounts: live.accounts(),
      whatsappSettings: live.whatsappSettings(),
      metaTemplates: live.metaTemplates,
      templateSync: live.templateSync(),
      templateSyncs: live.templateSyncsQueue(),
    }),
  ),
);
