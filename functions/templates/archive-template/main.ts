import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { archiveTemplateContract } from './contract.ts';
import { archiveTemplate } from './handler.ts';

export const handler = endpoint(
  archiveTemplateContract,
  archiveTemplate({ templates: live.templates() }),
  callersOf('templates/archive-template'),
);
