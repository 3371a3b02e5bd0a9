import { type Html, html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { looksOf } from './gateway-looks.ts';
import { amountText, clockText } from './money.ts';
import type { Reason } from './reasons.ts';
import { details, largeAmount, lockLine, marks, type Sale, salePage, sum, wayOut } from './sale.ts';
import { speaker } from './texts.ts';

/** How the last attempt ended, when it did not end well. */
export type Setback =
  /** `declinedForNow`: the gateway may yet find money. */
  | { readonly kind: 'declined' | 'declinedForNow'; readonly reason: Reason }
  | { readonly kind: 'unavailable'; readonly method: string }
  | { readonly kind: 'cancelled' | 'givenBack' | 'rejected' | 'timedOut' };
export type SetbackKind = Setback['kind'];

/** What is true of the money after an attempt that ended so. */
const moneyAfter = {
  declined: 'notCharged',
  unavailable: 'notCharged',
  declinedForNow: 'ifCharged',
  cancelled: 'ifCharged',
  rejected: 'ifCharged',
  // An account may accept money that comes late.
  timedOut: 'mayCount',
  givenBack: 'givesBack',
} as const satisfies Record<SetbackKind, string>;

/** What is true of the money after all of these attempts. */
export const moneyAfterAll = (kinds: readonly SetbackKind[]) =>
  (['givesBack', 'mayCount', 'ifCharged'] as const).find((text) => kinds.some((kind) => moneyAfter[kind] === text)) ??
  'notCharged';

/** What to do after that where nothing more can be paid. */
export const onwardAfter = (money: ReturnType<typeof moneyAfterAll>) =>
  money === 'mayCount' ? 'askFirst' : 'newLinkAdvice';

/** A way to pay, as the page shows it. */
interface Method {
  readonly acceptanceMethodId: string;
  readonly gatewayCode: string;
  readonly label: string;
}

/** What the page says to do about a form that began nothing. */
const remedies = { choose: 'chooseFirst', unavailable: 'chooseAnother' } as const;
type Problem = keyof typeof remedies;

export const isProblem = (text: string): text is Problem => Object.hasOwn(remedies, text);

interface Choice {
  readonly methods: readonly Method[];
  /** The number of begun payments. The form returns it, so that submitting it twice begins one payment. */
  readonly begun: number;
  readonly setback: Setback | undefined;
  /** How the attempts before it ended. */
  readonly earlier?: readonly SetbackKind[];
  /** Why the form that was sent began nothing: it had no choice, or one that is not offered any more. */
  readonly problem?: Problem | undefined;
}

/** The payer chooses a way to pay, or tries again. */
export const choicePage = (language: Language, sale: Sale, choice: Choice): string => {
  const say = speaker(language);
  const { methods, begun, setback, earlier = [], problem } = choice;
  const { title, heading, mark, content } = setback
    ? afterSetback(language, sale, setback, earlier)
    : opening(language, sale);
  const { statementName: statement } = sale.branding;
  const legend = say(setback ? 'tryAgain' : 'choose');
  return salePage(language, sale, {
    title: problem ? `${say('problem')}: ${title}` : title,
    ...(heading && { heading }),
    ...(problem && { query: `problem=${problem}` }),
    mark,
    content: html`${content}${closing(language, sale)}`,
    beside: html`<form method="post" action="${sale.path}/pay">
${problem && problemBox(language, problem)}<input type="hidden" name="begun" value="${begun}">
<fieldset${problem && html` aria-describedby="problem"`}>
<legend>${legend}</legend>
${methods.map((method, n) => methodRow(language, method, { isFirst: n === 0, isOnly: methods.length === 1 }))}</fieldset>
<button class="action pay">${say('payNow', { amount: amountText(language, sale.amountMinor, sale.currency) })}</button>
</form>
${wayOut(language, sale)}${statement !== null && html`\n<p class="small soft">${say('statement')}: <bdi>${statement}</bdi></p>\n`}`,
  });
};

const problemBox = (language: Language, problem: Problem): Html => {
  const say = speaker(language);
  return html`<div class="problem" id="problem" role="alert" tabindex="-1" autofocus>
<h2>${say('problem')}</h2>
<a href="#first">${say(remedies[problem])}</a>
</div>
`;
};

const methodRow = (
  language: Language,
  { acceptanceMethodId, gatewayCode, label }: Method,
  { isFirst, isOnly }: { readonly isFirst: boolean; readonly isOnly: boolean },
): Html => {
  const { marks: known, hint } = looksOf(gatewayCode);
  return html`<label><input type="radio" name="acceptanceMethodId" value="${acceptanceMethodId}"${isFirst && html` id="first"`}${isOnly && html` checked`}><span><bdi>${label}</bdi>${hint && html`<small>${speaker(language)(hint)}</small>`}</span><span class="known">${known}</span></label>
`;
};

const lastHourMs = 3_600_000;

/** Until when the session is open, where that is soon. */
const closing = (language: Language, { expiresMs, nowMs }: Sale): Html =>
  html`${
    expiresMs - nowMs <= lastHourMs &&
    html`<p class="small">${speaker(language)('open', { time: clockText(language, expiresMs) })}</p>\n`
  }`;

interface Opening {
  readonly title: string;
  readonly heading?: Html;
  readonly mark: Html;
  readonly content: Html;
}

const opening = (language: Language, sale: Sale): Opening => {
  const say = speaker(language);
  return {
    title: say('pay', sale),
    heading: html`<span class="due">${say('due')}</span> ${largeAmount(language, sale)}`,
    mark: html``,
    content: html`${lockLine(language)}${details(language, sale)}`,
  };
};

const afterSetback = (language: Language, sale: Sale, setback: Setback, earlier: readonly SetbackKind[]): Opening => {
  const { title, mark, advice } = wordsOf(language, setback, moneyAfterAll([...earlier, setback.kind]));
  return {
    title,
    mark,
    content: html`${advice.map((text) => html`<p>${text}</p>\n`)}${sum(language, sale, lockLine(language))}`,
  };
};

interface Words {
  readonly title: string;
  readonly mark: Html;
  readonly advice: readonly string[];
}

const wordsOf = (language: Language, setback: Setback, moneyText: ReturnType<typeof moneyAfterAll>): Words => {
  const say = speaker(language);
  const money = say(moneyText);
  switch (setback.kind) {
    case 'declined':
    case 'declinedForNow': {
      const advice = [say(setback.reason), `${money} ${say('declinedAdvice')}`];
      return { title: say('declined'), mark: marks.bad, advice };
    }
    case 'unavailable':
      return { title: say('unavailable', setback), mark: marks.bad, advice: [`${money} ${say('unavailableAdvice')}`] };
    case 'givenBack':
    case 'rejected':
      return { title: say('givenBack'), mark: marks.bad, advice: [`${money} ${say('givenBackAdvice')}`] };
    case 'cancelled':
      return { title: say('cancelled'), mark: marks.cancelled, advice: [`${say('cancelledAdvice')} ${money}`] };
    case 'timedOut':
      return { title: say('timedOut'), mark: marks.clock, advice: [`${say('cancelledAdvice')} ${money}`] };
  }
};

/**
 * No choice: no method accepts the amount, or all attempts are used up. `setbacks`: how the attempts ended. `isFrozen`: the account has methods that
 * it may not offer, so enabling another one does not help.
 */
export const deadEndPage = (
  language: Language,
  sale: Sale,
  why: 'noMethod' | 'exhausted',
  setbacks: readonly SetbackKind[],
  isFrozen = false,
): string => {
  const say = speaker(language);
  const { merchant, livemode } = sale;
  const money = moneyAfterAll(setbacks);
  const advice = why === 'noMethod' ? 'noMethodAdvice' : onwardAfter(money);
  const isUntestable = why === 'noMethod' && !livemode && !isFrozen;
  return salePage(language, sale, {
    title: say(why),
    mark: marks.bad,
    content: html`<p>${setbacks.length > 0 && `${say(money)} `}${say(advice, { merchant })}</p>
${isUntestable && html`<p class="soft">${say('noMethodTestAdvice', { merchant })}</p>\n`}${sum(language, sale)}
${wayOut(language, sale, true)}`,
  });
};
