import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listCallbackUrlsContract } from './contract.ts';
import { listCallbackUrls } from './handler.ts';

export const handler = endpoint(
  listCallbackUrlsContract,
  listCallbackUrls({ accounts: live.accounts(), callbackUrls: live.callbackUrls() }),
  callersOf('admin/list-callback-urls'),
);
