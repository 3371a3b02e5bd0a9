import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import { newSession } from '../../../shared/checkout/new-session.ts';
import { replayMarkOf } from '../../../shared/checkout/replay-mark.ts';
import type { CheckoutSession } from '../../../shared/checkout/session.ts';
import { newSessionViewOf } from '../../../shared/checkout/session-view.ts';
import type { CheckoutCaller } from '../../../shared/http/checkout-surface.ts';
import type { KeyedRequest, Reply, RequestOf } from '../../../shared/http/contract.ts';
import { alsoAbout } from '../../../shared/kit/log.ts';
import type { MethodStore } from '../../../shared/table/checkout/method-store.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';
import type { createSessionContract } from './contract.ts';

export interface CreateSessionNeeds {
  readonly sessions: Pick<SessionStore, 'create' | 'findByIdempotencyKey'>;
  readonly methods: Pick<MethodStore, 'list'>;
  readonly addresses: Pick<CheckoutAddresses, 'page'>;
  readonly lifetimeSeconds: number;
}

type Answer = Reply<typeof createSessionContract>;
type Offered = Awaited<ReturnType<MethodStore['list']>>;

/** A new session of the key's mode or, under an idempotency key of the last 24 hours, the session that the key made, as it is now. */
export const createSession = ({ sessions, methods, addresses, lifetimeSeconds }: CreateSessionNeeds) => {
  const answerOf = (session: CheckoutSession, isReplay: boolean, offered: Offered, nowMs: number): Answer => ({
    data: newSessionViewOf(session, { offered, addresses, nowMs }),
    headers: replayMarkOf(isReplay),
  });

  return {
    handle: async ({
      body,
      newId,
      nowMs,
      idempotencyKey,
      ...caller
    }: RequestOf<typeof createSessionContract> & CheckoutCaller): Promise<Answer> => {
      const wanted = newSession(body, caller, { id: newId, nowMs, lifetimeSeconds });
      const [{ session, isReplay }, offered] = await Promise.all([
        sessions.create(caller.account, wanted, { idempotencyKey, nowMs }),
        methods.list(caller.account),
      ]);
      alsoAbout({ sessionId: session.id });
      return answerOf(session, isReplay, offered, nowMs);
    },

    recall: async (
      request: KeyedRequest<typeof createSessionContract> & CheckoutCaller,
    ): Promise<Answer | undefined> => {
      const session = await sessions.findByIdempotencyKey(request.account, request, request);
      return session && answerOf(session, true, await methods.list(request.account), request.nowMs);
    },
  };
};
