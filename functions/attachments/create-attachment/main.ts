import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createAttachmentContract } from './contract.ts';
import { createAttachment } from './handler.ts';

export const handler = endpoint(
  createAttachmentContract,
  createAttachment({ uploads: live.uploads(), uploadedFiles: live.uploadedFiles() }),
  callersOf('attachments/create-attachment'),
);
