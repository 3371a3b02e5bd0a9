import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getTemplateContract } from './contract.ts';
import { getTemplate } from './handler.ts';

export const handler = endpoint(
  getTemplateContract,
  getTemplate({ templates: live.templates() }),
  callersOf('templates/get-template'),
);
