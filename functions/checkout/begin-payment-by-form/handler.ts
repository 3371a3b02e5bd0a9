import { pagePaths } from '../../../shared/checkout/page/sale.ts';
import { type StartNeeds, startPayment } from '../../../shared/checkout/start.ts';
import type { PageAnswer, PageVisit } from '../../../shared/http/checkout-page.ts';
import { existing } from '../../../shared/kit/not-found.ts';

export type BeginPaymentByFormNeeds = StartNeeds;

/** The payer has chosen a method: on to where the payment is waited for, or back to the page that says why there is none. */
export const beginPaymentByForm =
  (needs: BeginPaymentByFormNeeds) =>
  async ({ path, form, newId, nowMs }: PageVisit): Promise<PageAnswer> => {
    const found = existing('session_not_found', await needs.checkouts.find(path['id'] ?? ''));
    const { session } = found;
    const payment = await startPayment(needs)(found, {
      acceptanceMethodId: form['acceptanceMethodId'] ?? '',
      begun: Number(form['begun'] ?? session.payments),
      paymentId: newId,
      nowMs,
    });
    return { seeOther: payment ? pagePaths.waitingScreen(payment) : pagePaths.page(session.id) };
  };
