import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getMeContract } from './contract.ts';
import { getMe } from './handler.ts';

export const handler = endpoint(getMeContract, getMe({ accounts: live.accounts() }), callersOf('people/get-me'));
