import { type Html, html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import type { EligibleMethod } from '../session.ts';
import { icons } from './icons.ts';
import { timeText } from './money.ts';
import { marks, type Sale, salePage, sum, wayOut } from './sale.ts';
import { speaker } from './texts.ts';

/** How the last attempt ended, when it did not end well. */
export type Setback =
  | { readonly kind: 'declined'; readonly reason: string | undefined }
  | { readonly kind: 'unavailable'; readonly method: string }
  | { readonly kind: 'cancelled' | 'givenBack' | 'timedOut' };

interface Choice {
  readonly methods: readonly EligibleMethod[];
  /** The number of begun payments. The form returns it, so that submitting it twice begins one payment. */
  readonly begun: number;
  readonly setback: Setback | undefined;
}

/** The payer chooses a way to pay, or tries again. */
export const choicePage = (language: Language, sale: Sale, { methods, begun, setback }: Choice): string => {
  const say = speaker(language);
  const { statementName: statement } = sale.branding;
  const { title, mark, content } = opening(language, sale, setback);
  return salePage(language, sale, {
    title,
    mark,
    content: html`${content}${sum(language, sale)}
<form method="post" action="${sale.path}/pay" aria-labelledby="how">
<input type="hidden" name="begun" value="${begun}">
<h2 id="how">${say(setback ? 'tryAgain' : 'choose')}</h2>
<ul>
${methods.map((method) => html`<li>${methodButton(method)}</li>\n`)}</ul>
</form>
${wayOut(language, sale)}
<p class="away small soft">${say('open', { time: timeText(language, sale.expiresMs) })}</p>${statement !== null && html`\n<p class="small soft">${say('statement')}: <bdi>${statement}</bdi></p>`}`,
  });
};

/** Each method is a button of its own, so that one tap pays. */
const methodButton = ({ acceptanceMethodId, gatewayCode, displayLabel }: EligibleMethod): Html =>
  html`<button name="acceptanceMethodId" value="${acceptanceMethodId}">${iconOf(gatewayCode)}<span>${displayLabel}</span></button>`;

const iconOf = (gatewayCode: string): Html => {
  if (gatewayCode === 'bkash' || gatewayCode === 'sim_wallet') return icons.wallet;
  return gatewayCode === 'sim_bank' ? icons.bank : icons.card;
};

const opening = (
  language: Language,
  { merchant }: Sale,
  setback: Setback | undefined,
): { readonly title: string; readonly mark: Html; readonly content: Html } => {
  const say = speaker(language);
  switch (setback?.kind) {
    case undefined:
      return { title: say('pay', { merchant }), mark: html``, content: html`` };
    case 'declined':
      return {
        title: say('declined'),
        mark: marks.bad,
        content: html`<p>${say('declinedAdvice')}</p>
${setback.reason !== undefined && html`<p class="soft">${setback.reason}</p>\n`}`,
      };
    case 'unavailable':
      return {
        title: say('unavailable', { method: setback.method }),
        mark: marks.bad,
        content: html`<p>${say('unavailableAdvice')}</p>\n`,
      };
    case 'givenBack':
      return { title: say('givenBack'), mark: marks.bad, content: html`<p>${say('givenBackAdvice')}</p>\n` };
    case 'cancelled':
    case 'timedOut':
      return { title: say(setback.kind), mark: marks.clock, content: html`<p>${say('cancelledAdvice')}</p>\n` };
  }
};

/** No choice: no method accepts the amount, or all attempts are used up. */
export const deadEndPage = (language: Language, sale: Sale, why: 'noMethod' | 'exhausted'): string => {
  const say = speaker(language);
  const { merchant, livemode } = sale;
  const isUntestable = why === 'noMethod' && !livemode;
  return salePage(language, sale, {
    title: say(why),
    mark: marks.bad,
    content: html`<p>${say(`${why}Advice`, { merchant })}</p>
${isUntestable && html`<p class="soft">${say('noMethodTestAdvice', { merchant })}</p>\n`}${sum(language, sale)}
${wayOut(language, sale, true)}`,
  });
};
