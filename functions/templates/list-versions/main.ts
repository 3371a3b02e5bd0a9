import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listVersionsContract } from './contract.ts';
import { listVersions } from './handler.ts';

export const handler = endpoint(
  listVersionsContract,
  listVersions({ templates: live.templates() }),
  callersOf('templates/list-versions'),
);
