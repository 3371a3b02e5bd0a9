import type { EndJob } from '../../../shared/messages/jobs.ts';
import { type EndInterruptedSendNeeds, endInterruptedSend } from './handler.ts';

/** Ends one message. */
export const endSend =
  (needs: EndInterruptedSendNeeds) =>
  (job: EndJob, nowMs: number): Promise<void> =>
    endInterruptedSend(needs, () => nowMs)([job], (_, work) => work());
