import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { newId } from '../../../shared/kit/id.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { CallbackUrls } from '../../../shared/messages/callback-urls.ts';
import type { InboundUrlStore } from '../../../shared/table/accounts/inbound-url-store.ts';
import type { rotateCallbackUrlsContract } from './contract.ts';

export interface RotateCallbackUrlsNeeds {
  readonly inboundUrls: InboundUrlStore;
  readonly callbackUrls: CallbackUrls;
}

/** Each callback reads the account, so the new URL is accepted at once, and those before beside it until the time of each is up. */
export const rotateCallbackUrls =
  ({ inboundUrls, callbackUrls }: RotateCallbackUrlsNeeds) =>
  async ({
    path,
    body,
    nowMs,
  }: RequestOf<typeof rotateCallbackUrlsContract>): Promise<Reply<typeof rotateCallbackUrlsContract>> => {
    const wished = { version: newId(nowMs), previousValidUntilMs: nowMs + body.overlapSeconds * 1_000 };
    const account = existing('account_not_found', await inboundUrls.rotate(path.id, wished, nowMs));
    const { smsInbound } = await callbackUrls.of(account);
    return { smsInbound, previousValidUntil: iso(wished.previousValidUntilMs) };
  };
