import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import { eligibleMethods } from '../../../shared/checkout/methods.ts';
import { newSession } from '../../../shared/checkout/new-session.ts';
import { statusAt } from '../../../shared/checkout/session-status.ts';
import type { CheckoutCaller } from '../../../shared/http/checkout-surface.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { Checkouts } from '../../../shared/table/checkout-storage.ts';
import type { Methods } from '../../../shared/table/method-storage.ts';
import type { createSessionContract } from './contract.ts';

export interface CreateSessionNeeds {
  readonly checkouts: Pick<Checkouts, 'createSession'>;
  readonly methods: Pick<Methods, 'list'>;
  readonly addresses: Pick<CheckoutAddresses, 'page'>;
  readonly lifetimeSeconds: number;
}

/** A new session of the key's mode or, under an idempotency key of the last 24 hours, the session that the key made, as it is now. */
export const createSession =
  ({ checkouts, methods, addresses, lifetimeSeconds }: CreateSessionNeeds) =>
  async ({
    body,
    newId,
    nowMs,
    idempotencyKey,
    ...caller
  }: RequestOf<typeof createSessionContract> & CheckoutCaller): Promise<Reply<typeof createSessionContract>> => {
    const wanted = newSession(body, caller, { id: newId, nowMs, lifetimeSeconds });
    const [{ session, isReplay }, offered] = await Promise.all([
      checkouts.createSession(caller.account, wanted, { idempotencyKey, nowMs }),
      methods.list(caller.account),
    ]);
    return {
      data: {
        id: session.id,
        status: statusAt(session, nowMs).status,
        amountMinor: session.amountMinor,
        currency: session.currency,
        url: addresses.page(session.id),
        eligibleMethods: eligibleMethods(offered, session),
        livemode: session.livemode,
        expiresAt: iso(session.expiresMs),
      },
      headers: isReplay ? { 'Idempotent-Replay': 'true' } : {},
    };
  };
