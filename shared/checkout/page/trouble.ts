import type { FaultCode } from '../../kit/fault.ts';
import { html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { layout } from './layout.ts';
import { marks } from './sale.ts';
import { speaker } from './texts.ts';

const troubles = new Map<FaultCode, 'unknown' | 'crowded'>([
  ['session_not_found', 'unknown'],
  ['rate_limited', 'crowded'],
]);

/** The page for a request that came to nothing: there is no such session, it came too often, or something failed. */
export const troublePage = (language: Language, code: FaultCode, hasAddress: boolean): string => {
  const say = speaker(language);
  const trouble = troubles.get(code) ?? 'broken';
  const advice = trouble === 'broken' && !hasAddress ? 'brokenFormAdvice' : (`${trouble}Advice` as const);
  const mayPass = hasAddress && trouble !== 'unknown';
  return layout({
    language,
    hasAddress,
    title: say(trouble),
    mark: marks.bad,
    ...(mayPass && { check: { afterSeconds: 30, reloads: true } }),
    // A link without an address leads to the page that it is on. Browsers in apps may have no button to reload it.
    content: html`<p>${say(advice)}</p>${mayPass && html`\n<div class="actions"><a class="action" href="">${say('tryAgain')}</a></div>`}`,
  });
};
