import { type BeginPaymentOnceNeeds, beginPaymentOnce } from '../../../shared/checkout/begin-payment-once.ts';
import { pagePaths } from '../../../shared/checkout/page/sale.ts';
import type { PageAnswer, PageVisit } from '../../../shared/http/checkout-page.ts';
import { existing } from '../../../shared/kit/not-found.ts';

export type BeginPaymentByFormNeeds = BeginPaymentOnceNeeds;

/** The payer has chosen a method: redirects to the waiting page, or back to the session's page with the reason of a refusal. */
export const beginPaymentByForm =
  (needs: BeginPaymentByFormNeeds) =>
  async ({ path, form, newId }: PageVisit): Promise<PageAnswer> => {
    const found = existing('session_not_found', await needs.sessions.find(path['id'] ?? ''));
    const { session } = found;
    if (!form['acceptanceMethodId']) return { seeOther: `${pagePaths.page(session.id)}?problem=choose` };
    const begun = await beginPaymentOnce(needs)(found, {
      acceptanceMethodId: form['acceptanceMethodId'],
      paymentCount: Number(form['begun'] ?? session.paymentCount),
      paymentId: newId,
    });
    if (begun === 'unavailable') return { seeOther: `${pagePaths.page(session.id)}?problem=unavailable` };
    return { seeOther: begun ? pagePaths.waitingScreen(begun) : pagePaths.page(session.id) };
  };
