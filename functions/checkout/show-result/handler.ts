import { paidPage } from '../../../shared/checkout/page/ending.ts';
import { openScene, type SceneNeeds } from '../../../shared/checkout/page/open-scene.ts';
import { languageFor, pagePaths, saleOf } from '../../../shared/checkout/page/sale.ts';
import { receiptOf } from '../../../shared/checkout/page/session-page.ts';
import type { PageAnswer, PageVisit } from '../../../shared/http/checkout-page.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';

export interface ShowResultNeeds extends SceneNeeds {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly payments: Pick<PaymentStore, 'listOfSession'>;
}

/** The result of a paid session. Until then, the session's own page shows its status. */
export const showResult =
  (needs: ShowResultNeeds) =>
  async (visit: PageVisit): Promise<PageAnswer> => {
    const { path, nowMs } = visit;
    const found = existing('session_not_found', await needs.sessions.find(path['id'] ?? ''));
    const { session } = found;
    if (session.status !== 'COMPLETED') return { seeOther: pagePaths.page(session.id) };
    const scene = await openScene(needs, found, nowMs);
    const language = languageFor(session, visit);
    return { html: paidPage(language, saleOf(session, scene), receiptOf(language, scene), 'shown') };
  };
