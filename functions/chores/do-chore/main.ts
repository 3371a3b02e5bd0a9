import { choreJob } from '../../../shared/chores/jobs.ts';
import * as live from '../../../shared/live.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { doChore } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  queueWorker(
    choreJob,
    doChore({
      accounts: live.accounts(),
      unreported: live.unreported(),
      stranded: live.stranded(),
      strandedWorkQueue: live.strandedWorkQueue(),
      interruptedSendsQueue: live.interruptedSendsQueue(),
      textQueues: live.textQueues(),
      webhookDeliveriesQueue: live.webhookDeliveriesQueue(),
      whatsappSettings: live.whatsappSettings(),
      metaTemplates: live.metaTemplates,
      templateSync: live.templateSync(),
      templateSyncsQueue: live.templateSyncsQueue(),
      webhooks: live.allWebhooks(),
      deliveries: live.deliveries(),
      paces: live.paces(),
      events: live.events(),
      checkoutEvents: live.checkoutEvents(),
      replaysQueue: live.replaysQueue(),
      contacts: live.contacts(),
      contactImports: live.contactImports(),
      importFiles: live.importFiles(),
      messages: live.messages(),
      messageExports: live.messageExports(),
      contactExports: live.contactExports(),
      exportFiles: live.exportFiles(),
      transfersQueue: live.transfersQueue(),
      clock: Date.now,
      deletedWebhooksQueue: live.deletedWebhooksQueue(),
    }),
  ),
);
