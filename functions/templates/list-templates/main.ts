import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listTemplatesContract } from './contract.ts';
import { listTemplates } from './handler.ts';

export const handler = endpoint(
  listTemplatesContract,
  listTemplates({ templates: live.templates() }),
  callersOf('templates/list-templates'),
);
