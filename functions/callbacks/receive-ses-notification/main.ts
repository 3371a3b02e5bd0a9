import * as live from '../../../shared/live.ts';
import { topicListener } from '../../../shared/work/topic-listener.ts';
import { receiveSesNotification } from './handler.ts';
import { sesNotification } from './ses-notification.ts';

export const handler = topicListener(
  live.topic(),
  sesNotification,
  receiveSesNotification({ accounts: live.accounts(), outcomeRecorder: live.outcomeRecorder() }),
);
