import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { previewTemplateContract } from './contract.ts';
import { previewTemplate } from './handler.ts';

export const handler = endpoint(
  previewTemplateContract,
  previewTemplate({ templates: live.templates() }),
  callersOf('templates/preview-template'),
);
