import { labelOf } from '../../../shared/checkout/methods.ts';
import { paidPage } from '../../../shared/checkout/page/ending.ts';
import { openScene, type SceneNeeds } from '../../../shared/checkout/page/open-scene.ts';
import { heldPage, leavingPage, waitingPage } from '../../../shared/checkout/page/progress.ts';
import { languageFor, pagePaths, saleOf } from '../../../shared/checkout/page/sale.ts';
import { isUnderReview, receiptOf } from '../../../shared/checkout/page/session-page.ts';
import { type FoundPayment, isConfirmationTried, type Payment } from '../../../shared/checkout/payment.ts';
import { type PollNeeds, pollPayment } from '../../../shared/checkout/poll.ts';
import { statusAt } from '../../../shared/checkout/session-status.ts';
import { settlementOfCancellation } from '../../../shared/checkout/settle-payment.ts';
import { isSimulated } from '../../../shared/checkout/simulation.ts';
import type { PageAnswer, PageVisit } from '../../../shared/http/checkout-page.ts';
import { existing } from '../../../shared/kit/not-found.ts';

export type ShowPaymentNeeds = SceneNeeds & PollNeeds;

/** The waiting screen of a payment: leads to the gateway, waits until the outcome is known, and moves on from there. */
export const showPayment =
  (needs: ShowPaymentNeeds) =>
  async (visit: PageVisit): Promise<PageAnswer> => {
    const { path, nowMs } = visit;
    const found = existing('session_not_found', await needs.payments.find(path['id'] ?? '', path['paymentId'] ?? ''));
    const current = await pollPayment(needs)(found, nowMs);
    const { session, payment } = current;
    const { status } = statusAt(session, nowMs);
    if (status === 'OPEN' && payment.status === 'PENDING') return inProgress(needs, current, visit);
    const isPaid = status === 'COMPLETED' && payment.status === 'SUCCEEDED' && payment.mark !== 'surplus';
    if (!isPaid) return { seeOther: pagePaths.page(session.id) };
    if (session.successUrl === undefined) return { seeOther: pagePaths.resultPage(session.id) };
    return paid(needs, current, visit);
  };

/** By a page, not a redirect: a form may have led here, and browsers hold its redirects to `form-action`. */
const paid = async (needs: ShowPaymentNeeds, found: FoundPayment, visit: PageVisit): Promise<PageAnswer> => {
  const { nowMs } = visit;
  const scene = await openScene(needs, found, nowMs);
  const sale = saleOf(found.session, scene);
  const language = languageFor(found.session, visit);
  const html = paidPage(language, sale, receiptOf(language, scene), 'now');
  return { html, ...(sale.successUrl !== undefined && { leadsTo: sale.successUrl }) };
};

const inProgress = async (needs: ShowPaymentNeeds, found: FoundPayment, visit: PageVisit): Promise<PageAnswer> => {
  const { query, nowMs } = visit;
  const { session, payment } = found;
  const language = languageFor(session, visit);
  const scene = await openScene(needs, found, nowMs);
  const sale = saleOf(session, scene);
  const attempt = { path: pagePaths.waitingScreen(payment), method: labelOf(scene.methods, payment, language) };
  if (isUnderReview(payment)) return { html: heldPage(language, sale, attempt) };
  const aged = { ...attempt, ageMs: nowMs - payment.createdMs };
  if (query['returned'] !== undefined || hasBeenThere(payment)) {
    const mayCancel = settlementOfCancellation(found, nowMs) !== undefined;
    return { html: waitingPage(language, sale, { ...aged, mayCancel, checksItself: query['checks'] !== 'off' }) };
  }
  const { redirectUrl } = payment;
  const html = leavingPage(language, sale, { ...aged, redirectUrl });
  return { html, ...(redirectUrl !== undefined && { leadsTo: redirectUrl }) };
};

/** Whether it is known that the payer has been at the gateway: one who is sent there again may pay twice. */
const hasBeenThere = (payment: Payment): boolean =>
  isSimulated(payment) || isConfirmationTried(payment) || payment.reportedPaidMs !== undefined;
