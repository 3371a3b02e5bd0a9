import type { Input, Reply } from '../../../shared/http/contract.ts';
import { rowsThatFit } from '../../../shared/kit/cursor-page.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import { contentOf, placeholdersIn, shownContent, wordsOf } from '../../../shared/messages/content.ts';
import { segmentsOf } from '../../../shared/messages/segments.ts';
import type { TemplateStore } from '../../../shared/table/templates/template-store.ts';
import type { previewTemplateContract } from './contract.ts';

export interface PreviewTemplateNeeds {
  readonly templates: Pick<TemplateStore, 'findWhole'>;
}

/** Shows what a message with this template would say, if that fits in an answer: a mail may be longer. */
export const previewTemplate =
  ({ templates }: PreviewTemplateNeeds) =>
  async ({
    account,
    path,
    body: { variables: given, version },
  }: Input<typeof previewTemplateContract>): Promise<Reply<typeof previewTemplateContract>> => {
    const known = await templates.findWhole(account, path.id, version);
    if (!known && version !== undefined)
      throw new Fault('template_not_found', `No template has this id and a version ${version}.`);
    const found = existing('template_not_found', known);
    const { channel } = found.template;
    // Without variables, it is the template's own words that are asked for, which only values may make short enough.
    const content = shownContent((given ? contentOf : wordsOf)(channel, {}, found.content, given));
    const variables = given ?? {};
    const { subject = null, html = null, text = null } = content;
    const placeholders = placeholdersIn(channel, found.content);
    const used = new Set(placeholders);
    const unusedVariables = Object.keys(variables).filter((name) => !used.has(name));
    const shown = [html ?? '', text ?? '', ...unusedVariables];
    if (rowsThatFit(shown, Buffer.byteLength) < shown.length)
      throw new Fault('invalid_request', 'variables: the names that have no placeholder are too long to be shown');
    return {
      subject,
      html,
      text,
      missingVariables: placeholders.filter((name) => !Object.hasOwn(variables, name)),
      unusedVariables,
      segments: channel === 'sms' ? segmentsOf(text ?? '').segments : null,
    };
  };
