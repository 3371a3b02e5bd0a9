import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { updateTemplateContract } from './contract.ts';
import { updateTemplate } from './handler.ts';

export const handler = endpoint(
  updateTemplateContract,
  updateTemplate({ templates: live.templates() }),
  callersOf('templates/update-template'),
);
