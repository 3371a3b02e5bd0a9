import { type Html, html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { marks, type Sale, salePage, sum } from './sale.ts';
import { speaker } from './texts.ts';

/** The payment that a page is about. */
export interface Attempt {
  /** Where its waiting screen is. */
  readonly path: string;
  /** What the way of paying is called. */
  readonly method: string;
}

/** A payment is in progress, perhaps in another tab of the payer. `isLast`: cancelling it would leave no way to pay. */
export const underWayPage = (
  language: Language,
  sale: Sale,
  { path, method, isLast, mayCancel }: Attempt & { readonly isLast: boolean; readonly mayCancel: boolean },
): string => {
  const say = speaker(language);
  const advice = isLast ? 'underWayLastAdvice' : 'underWayAdvice';
  return salePage(language, sale, {
    title: say('underWay'),
    mark: marks.clock,
    check: { afterSeconds: 5, reloads: false },
    content: html`<p>${say(mayCancel ? advice : 'waitingAdvice', { method })}</p>
${sum(language, sale)}
<div class="actions">
<a class="action" href="${path}">${say('resume')}</a>
</div>
${mayCancel && cancelForm(language, path)}`,
  });
};

/**
 * On the way to the gateway, or until it says where that is. It is a page, not a redirect: browsers hold a form's redirects to `form-action`,
 * and we cannot know where gateways lead on to.
 */
export const leavingPage = (
  language: Language,
  sale: Sale,
  { path, method, redirectUrl, ageMs }: Attempt & { readonly redirectUrl: string | undefined; readonly ageMs: number },
): string => {
  const say = speaker(language);
  return salePage(language, sale, {
    title: say('leaving', { method }),
    mark: marks.busy,
    ...(redirectUrl === undefined && { check: { afterSeconds: secondsToNextCheck(ageMs), reloads: true } }),
    content: html`<p role="status">${say(redirectUrl === undefined ? 'connecting' : 'leavingAdvice')}</p>
${sum(language, sale)}
<div class="actions">
${redirectUrl !== undefined && html`<a class="action" href="${redirectUrl}">${say('goOn', { method })}</a>\n`}</div>
${cancelForm(language, path)}`,
  });
};

/** Until then, the outcome is near: most of this time, the payer is at the gateway. */
const usualMs = 300_000;

/** The outcome is unknown yet. `ageMs`: since the payment began. A payer can turn the automatic checks off (WCAG 2.2, 2.2.2). */
export const waitingPage = (
  language: Language,
  sale: Sale,
  {
    path,
    method,
    checksItself,
    ageMs,
    mayCancel,
  }: Attempt & { readonly checksItself: boolean; readonly ageMs: number; readonly mayCancel: boolean },
): string => {
  const say = speaker(language);
  const [noisy, quiet] = ['returned=1', 'returned=1&checks=off'] as const;
  const [same, other] = checksItself ? [noisy, quiet] : [quiet, noisy];
  return salePage(language, sale, {
    title: say('waiting'),
    mark: checksItself ? marks.busy : marks.clock,
    query: same,
    ...(checksItself && { check: { afterSeconds: secondsToNextCheck(ageMs), reloads: true } }),
    content: html`<div role="status">
<p>${say('waitingAdvice', { method })}</p>
<p class="soft">${say(ageMs < usualMs ? 'usually' : 'patience')} ${say(checksItself ? 'checksItself' : 'checksNoMore')}</p>
</div>
${sum(language, sale)}
<div class="actions">
<a class="action" href="${path}?${same}">${say('checkNow')}</a>
</div>
<p class="away"><a href="${path}?${other}">${say(checksItself ? 'stopChecking' : 'startChecking')}</a></p>
${mayCancel && cancelForm(language, path)}`,
  });
};

/**
 * The payment is under manual review. It may have succeeded, so it cannot be cancelled, and no link leads to the merchant: at `cancelUrl`, the shop would
 * take it for cancelled, and at `successUrl` for paid. The payer may close the page.
 */
export const heldPage = (language: Language, sale: Sale, { path, method }: Attempt): string => {
  const say = speaker(language);
  return salePage(language, sale, {
    title: say('held'),
    mark: marks.clock,
    content: html`<p>${say('heldAdvice', { method })}</p>
<p class="soft">${say('patience')}</p>
${sum(language, sale)}
<div class="actions"><a class="action" href="${path}">${say('checkNow')}</a></div>`,
  });
};

const cancelForm = (language: Language, path: string): Html =>
  html`<form method="post" action="${path}/cancel"><button class="plain">${speaker(language)('cancel')}</button></form>`;

const checks = [
  { withinSeconds: 20, everySeconds: 2 },
  { withinSeconds: 120, everySeconds: 5 },
  { withinSeconds: 900, everySeconds: 15 },
] as const;

/** Seconds until a waiting screen checks again, increasing with the waiting time. */
export const secondsToNextCheck = (ageMs: number): number =>
  checks.find(({ withinSeconds }) => ageMs < withinSeconds * 1_000)?.everySeconds ?? 60;
