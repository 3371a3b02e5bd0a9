import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import * as live from '../../../shared/live.ts';
import { listCallbackUrlsContract } from './contract.ts';
import { listCallbackUrls } from './handler.ts';

export const handler = endpoint(
  listCallbackUrlsContract,
  listCallbackUrls({ accounts: live.accounts(), callbackUrls: live.callbackUrls() }),
  keylessSurface,
);
