import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { previewMessageContract } from './contract.ts';
import { previewMessage } from './handler.ts';

export const handler = endpoint(
  previewMessageContract,
  previewMessage({
    sends: live.sendContexts(),
    accounts: live.accounts(),
    uploads: live.uploads(),
    uploadedFiles: live.uploadedFiles(),
    platformAddress: setting('PLATFORM_EMAIL'),
    peopleAddress: setting('PEOPLE_EMAIL'),
  }),
  callersOf('messages/preview-message'),
);
