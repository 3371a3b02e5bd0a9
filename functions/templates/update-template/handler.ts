import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { TemplateStore } from '../../../shared/table/templates/template-store.ts';
import { changedTemplate, editable, type WholeTemplate } from '../../../shared/templates/template.ts';
import { templateRules } from '../../../shared/templates/template-fields.ts';
import type { updateTemplateContract } from './contract.ts';

export interface UpdateTemplateNeeds {
  readonly templates: Pick<TemplateStore, 'change'>;
}

/** Omitted fields are unchanged. What remains must be a template of its channel, as if it were created anew. */
export const updateTemplate =
  ({ templates }: UpdateTemplateNeeds) =>
  async ({
    account,
    path,
    body: { channel, ...sent },
    nowMs,
  }: Input<typeof updateTemplateContract>): Promise<Reply<typeof updateTemplateContract>> => {
    const changed = await templates.change(account, path.id, (before) => {
      const { channel: its } = editable(before.template);
      if (channel !== undefined && channel !== its) throw new Fault('invalid_request', 'channel: cannot be changed');
      return complete(changedTemplate(before, sent, nowMs));
    });
    return existing('template_not_found', changed);
  };

/** @throws Fault `invalid_request` when something is missing that its channel requires */
const complete = (after: WholeTemplate): WholeTemplate => {
  const { template, content } = after;
  const fields = { ...template, htmlContent: content.html, textContent: content.text };
  const broken = templateRules.filter(({ isBroken }) => isBroken(fields));
  if (broken.length === 0) return after;
  const texts = broken.map((rule) => `${'named' in rule ? rule.named : rule.field}: ${rule.what}`);
  throw new Fault('invalid_request', texts.join('; '));
};
