import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { sendMessagesContract } from './contract.ts';
import { sendMessages } from './handler.ts';

export const handler = endpoint(
  sendMessagesContract,
  sendMessages({
    sends: live.sends(),
    contacts: live.contacts(),
    strikes: live.strikes(),
    messages: live.messages(),
    email: live.email(),
    messageLinks: live.messageLinks(),
    uploads: live.uploads(),
    uploadedFiles: live.uploadedFiles(),
    platformAddress: setting('PLATFORM_EMAIL'),
    peopleAddress: setting('PEOPLE_EMAIL'),
    clock: Date.now,
  }),
  callersOf('messages/send-messages'),
);
