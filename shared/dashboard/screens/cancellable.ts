import type { Message } from '../../client/messaging.ts';

/** Whether a message can be cancelled: it waits for its time or, as an email, for the sending rate of its provider. */
export const isCancellable = ({
  channel,
  status,
  scheduledAt,
}: Pick<Message, 'channel' | 'status' | 'scheduledAt'>): boolean =>
  status === 'queued' && (scheduledAt !== undefined || channel === 'email');
