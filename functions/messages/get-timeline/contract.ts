import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { timelineEntry } from '../../../shared/messages/timeline.ts';

export const getTimelineContract = contract({
  summary: 'List what happened to a message, oldest first',
  description:
    'From its acceptance to its last webhook delivery, without its text. A status that was skipped is listed with the one that followed. Of a message that an older release accepted, only the times of the message itself are listed. Webhook deliveries are listed from their first attempt on, for 30 days, while their subscription exists.',
  status: 200,
  path: z.object({ id: z.string() }),
  reply: z.array(timelineEntry),
  refuses: ['message_not_found'],
});
