import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { CheckoutStore } from '../../../shared/table/checkout/checkout-store.ts';
import type { setChaosContract } from './contract.ts';

export interface SetChaosNeeds {
  readonly checkouts: Pick<CheckoutStore, 'setChaos'>;
}

/** Lets a merchant try what happens seldom. Live sessions are never touched. */
export const setChaos =
  ({ checkouts }: SetChaosNeeds) =>
  async ({
    path: { id },
    body: { chaos },
  }: RequestOf<typeof setChaosContract>): Promise<Reply<typeof setChaosContract>> => {
    if (!(await checkouts.setChaos(id, chaos ?? undefined))) {
      throw new Fault('session_not_found', 'No test session has this id.');
    }
    return { id, chaos };
  };
