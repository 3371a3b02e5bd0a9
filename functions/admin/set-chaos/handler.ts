import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { SessionStore } from '../../../shared/table/checkout/session-store.ts';
import type { setChaosContract } from './contract.ts';

export interface SetChaosNeeds {
  readonly sessions: Pick<SessionStore, 'setChaos'>;
}

/** Injects rare faults into a test session. Live sessions are never changed. */
export const setChaos =
  ({ sessions }: SetChaosNeeds) =>
  async ({
    path: { id },
    body: { chaos },
  }: RequestOf<typeof setChaosContract>): Promise<Reply<typeof setChaosContract>> => {
    if (!(await sessions.setChaos(id, chaos ?? undefined))) {
      throw new Fault('session_not_found', 'No test session has this id.');
    }
    return { id, chaos };
  };
