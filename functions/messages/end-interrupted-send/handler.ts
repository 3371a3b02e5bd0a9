import type { EndJob } from '../../../shared/messages/jobs.ts';
import { type EndInterruptedSendNeeds, endInterruptedSend } from './end-interrupted-send.ts';
import { type EndUnsentTextNeeds, endUnsentText } from './end-unsent-text.ts';

/** Ends a message that no worker handles any more: a send that was cut off, or a text whose worker failed too often. */
export const endSend = (needs: EndInterruptedSendNeeds & EndUnsentTextNeeds) => {
  const [interrupted, unsentText] = [endInterruptedSend(needs), endUnsentText(needs)];
  return (job: EndJob, nowMs: number): Promise<void> =>
    'kind' in job ? unsentText(job, nowMs) : interrupted(job, nowMs);
};
