import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { rotateCallbackUrlsContract } from './contract.ts';
import { rotateCallbackUrls } from './handler.ts';

export const handler = endpoint(
  rotateCallbackUrlsContract,
  rotateCallbackUrls({ inboundUrls: live.inboundUrls(), callbackUrls: live.callbackUrls() }),
  callersOf('admin/rotate-callback-urls'),
);
