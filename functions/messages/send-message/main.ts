import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { sendMessageContract } from './contract.ts';
import { sendMessage } from './handler.ts';

export const handler = endpoint(
  sendMessageContract,
  sendMessage({
    sends: live.sends(),
    contacts: live.contacts(),
    strikes: live.strikes(),
    messages: live.messages(),
    email: live.email(),
    uploads: live.uploads(),
    uploadedFiles: live.uploadedFiles(),
    messageLinks: live.messageLinks(),
    platformAddress: setting('PLATFORM_EMAIL'),
    peopleAddress: setting('PEOPLE_EMAIL'),
    clock: Date.now,
  }),
  callersOf('messages/send-message'),
);
