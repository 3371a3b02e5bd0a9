import { randomUUID } from 'node:crypto';
import * as z from 'zod';

/** One run of an import or export: it does a part, and queues the next. `run`: what the store knows it by. */
export const transferJob = z.object({
  transfer: z.enum(['contact-import', 'message-export', 'contact-export']),
  account: z.string(),
  id: z.string(),
  run: z.string(),
});

export type TransferJob = z.output<typeof transferJob>;
export type TransferKind = TransferJob['transfer'];

/** The first run of an import or export, or the one after this. */
export const newRun = (job: Omit<TransferJob, 'run'>): TransferJob => ({ ...job, run: randomUUID() });
