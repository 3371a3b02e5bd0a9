import { setTimeout as sleep } from 'node:timers/promises';
import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { textJob } from '../../../shared/messages/jobs.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { groupWorker } from '../../../shared/work/queue-worker.ts';
import { groupOf, sendText } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  groupWorker(
    textJob,
    groupOf,
    sendText({
      accounts: live.accounts(),
      messages: live.messages(),
      sends: live.sendContexts(),
      textSends: live.textSends(),
      textTurns: live.textTurns(),
      messageLinks: live.messageLinks(),
      providers: { sms: live.smsProviders(), whatsapp: live.whatsappProviders() },
      textQueues: live.textQueues(),
      interruptedSendsQueue: live.interruptedSendsQueue(),
      giveUpSeconds: Math.ceil(Number(setting('TEXT_GIVE_UP_SECONDS'))),
      random: Math.random,
      clock: Date.now,
      sleep,
    }),
  ),
);
