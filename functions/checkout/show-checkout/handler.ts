import { type BeginPaymentOnceNeeds, beginPaymentOnce } from '../../../shared/checkout/begin-payment-once.ts';
import { openScene, type SceneNeeds } from '../../../shared/checkout/page/open-scene.ts';
import { languageFor, pagePaths } from '../../../shared/checkout/page/sale.ts';
import { sessionPage, straightMethod } from '../../../shared/checkout/page/session-page.ts';
import { type PollNeeds, pollSession } from '../../../shared/checkout/poll.ts';
import type { PageAnswer, PageVisit } from '../../../shared/http/checkout-page.ts';
import { existing } from '../../../shared/kit/not-found.ts';

export type ShowCheckoutNeeds = SceneNeeds & PollNeeds & BeginPaymentOnceNeeds;

/**
 * The page of a session, however it stands. Where there is only one way to pay, and none has been tried yet, opening the page begins the payment
 * at once, except for a payer who has chosen another method that is not available any more. Previews of links, prefetches and scripts
 * see the page with its one button.
 */
export const showCheckout =
  (needs: ShowCheckoutNeeds) =>
  async (visit: PageVisit): Promise<PageAnswer> => {
    const { path, query, isNavigation, newId, nowMs } = visit;
    const found = existing('session_not_found', await needs.sessions.find(path['id'] ?? ''));
    const current = await pollSession(needs)(found, nowMs);
    const scene = await openScene(needs, current, nowMs);
    const method = isNavigation && !query['problem'] ? straightMethod(scene) : undefined;
    const begun = method && (await beginPaymentOnce(needs)(current, { ...method, paymentCount: 0, paymentId: newId }));
    return begun && begun !== 'unavailable'
      ? { seeOther: pagePaths.waitingScreen(begun) }
      : { html: sessionPage(languageFor(current.session, visit), scene, query['problem']) };
  };
