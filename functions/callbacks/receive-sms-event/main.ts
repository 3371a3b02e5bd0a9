import * as live from '../../../shared/live.ts';
import { topicListener } from '../../../shared/work/topic-listener.ts';
import { receiveSmsEvent } from './handler.ts';
import { smsNews } from './sms-event.ts';

export const handler = topicListener(
  live.topic(),
  smsNews,
  receiveSmsEvent({
    accounts: live.accounts(),
    outcomeRecorder: live.outcomeRecorder(),
    inboundReceiver: live.inboundReceiver(),
  }),
);
