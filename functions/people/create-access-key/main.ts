import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createAccessKeyContract } from './contract.ts';
import { createAccessKey } from './handler.ts';

export const handler = endpoint(
  createAccessKeyContract,
  createAccessKey({ accessKeys: live.accessKeys(), rates: live.rates() }),
  callersOf('people/create-access-key'),
);
