import * as z from 'zod';
import type { Queue } from '../../../shared/aws/queue.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import { type TextChannel, textChannels } from '../../../shared/messages/message.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

export interface QueueTextsNeeds {
  readonly texts: Readonly<Record<TextChannel, Queue<TextJob>>>;
}

const row = z.object({ account: z.string(), SK: z.string(), channel: z.enum(textChannels) });

/** Queues every sms and whatsapp message that was accepted, for its channel's worker. Redelivery may enqueue a message twice; it is sent once. */
export const queueTexts =
  ({ texts }: QueueTextsNeeds) =>
  async (changes: readonly Change[]): Promise<void> => {
    const jobs = changes.map(({ after }): TextJob => {
      const { account, SK: message, channel } = row.parse(after);
      return { account, message, channel };
    });
    await Promise.all(
      [...Map.groupBy(jobs, ({ channel }) => channel)].map(([channel, queued]) => texts[channel].send(queued)),
    );
  };
