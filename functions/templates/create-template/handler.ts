import type { Input, Reply } from '../../../shared/http/contract.ts';
import type { TemplateStore } from '../../../shared/table/templates/template-store.ts';
import { newTemplate } from '../../../shared/templates/template.ts';
import type { createTemplateContract } from './contract.ts';

export interface CreateTemplateNeeds {
  readonly templates: Pick<TemplateStore, 'create'>;
}

/** Stores a template, usable at once. An sms template has only text. */
export const createTemplate =
  ({ templates }: CreateTemplateNeeds) =>
  async ({
    account,
    body,
    newId,
  }: Input<typeof createTemplateContract>): Promise<Reply<typeof createTemplateContract>> => {
    const { channel, htmlContent, textContent } = body;
    const html = channel === 'email' ? htmlContent : undefined;
    return templates.create(account, newTemplate(body, newId), { html, text: textContent });
  };
