import type { ChoreJob } from '../../../shared/accounts/jobs.ts';
import { type DeleteLogsNeeds, deleteLogs } from './delete-logs.ts';
import { type ExportsNeeds, exportContacts, exportMessages } from './exports.ts';
import { type FindStrandedNeeds, findStranded } from './find-stranded.ts';
import { type ImportContactsNeeds, importContacts } from './import-contacts.ts';
import { type ReplayPartNeeds, replayPart } from './replay-part.ts';
import { type SyncWhatsappTemplatesNeeds, syncWhatsappTemplates } from './sync-whatsapp-templates.ts';

export type DoChoreNeeds = FindStrandedNeeds &
  SyncWhatsappTemplatesNeeds &
  DeleteLogsNeeds &
  ReplayPartNeeds &
  ImportContactsNeeds &
  ExportsNeeds;

/** Does rare work that no caller waits for. The kinds share a queue, because each queue is polled all day. */
export const doChore = (needs: DoChoreNeeds) => {
  const [find, sync] = [findStranded(needs), syncWhatsappTemplates(needs)];
  const [deleteLog, replay] = [deleteLogs(needs), replayPart(needs)];
  const transfers = {
    'contact-import': importContacts(needs),
    'message-export': exportMessages(needs),
    'contact-export': exportContacts(needs),
  };

  return (job: ChoreJob, nowMs: number): Promise<void> => {
    switch (job.kind) {
      case 'find-stranded':
        return find(job.round, nowMs);
      case 'sync-templates':
        return sync(job.round, nowMs);
      case 'delete-log':
        return deleteLog(job);
      case 'replay':
        return replay(job, nowMs);
      case 'transfer':
        return transfers[job.transfer](job);
    }
  };
};
