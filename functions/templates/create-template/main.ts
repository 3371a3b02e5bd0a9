import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createTemplateContract } from './contract.ts';
import { createTemplate } from './handler.ts';

export const handler = endpoint(
  createTemplateContract,
  createTemplate({ templates: live.templates() }),
  callersOf('templates/create-template'),
);
