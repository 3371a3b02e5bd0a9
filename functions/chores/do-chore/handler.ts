import type { ChoreJob } from '../../../shared/chores/jobs.ts';
import { byKind } from '../../../shared/kit/by-kind.ts';
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
  const transfers = {
    'contact-import': importContacts(needs),
    'message-export': exportMessages(needs),
    'contact-export': exportContacts(needs),
  };
  const work = byKind<ChoreJob, [nowMs: number]>({
    'find-stranded': ({ round }, nowMs) => find(round, nowMs),
    'sync-templates': ({ round }, nowMs) => sync(round, nowMs),
    'delete-log': deleteLogs(needs),
    replay: replayPart(needs),
    transfer: (job) => transfers[job.transfer](job),
  });

  return (job: ChoreJob, nowMs: number): Promise<void> => work(job.kind, job, nowMs);
};
