import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import * as live from '../../../shared/live.ts';
import { getAccountContract } from './contract.ts';
import { getAccount } from './handler.ts';

export const handler = endpoint(getAccountContract, getAccount({ accounts: live.accounts() }), keylessSurface);
