import type { EndJob } from '../../../shared/messages/jobs.ts';
import { type EndSendsNeeds, endSends } from './handler.ts';

/** Ends one message. */
export const endSend =
  (needs: EndSendsNeeds) =>
  (job: EndJob, nowMs: number): Promise<void> =>
    endSends(needs, () => nowMs)([job], (_, work) => work());
