import { raiseSpreadContract } from '../../functions/admin/raise-spread/contract.ts';
import { raiseSpread } from '../../functions/admin/raise-spread/handler.ts';
import { Fault } from '../../shared/kit/fault.ts';
import { newId } from '../../shared/kit/id.ts';
import type { Clock } from '../../shared/kit/time.ts';
import { accountStore } from '../../shared/table/accounts/account-store.ts';
import { creditStore } from '../../shared/table/accounts/credit-store.ts';
import { spreadStore } from '../../shared/table/messages/spread-store.ts';
import { StartFailure } from '../local/start-failure.ts';
import { auditing } from '../operators/audited.ts';
import type { Deployment } from '../operators/deployment.ts';

/** The numbers as the command line has them. Those that are left out stay. */
export interface Wish {
  readonly credits?: string | undefined;
  readonly messages?: string | undefined;
  readonly isDryRun?: boolean;
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

/** A refusal of the endpoint, with the names that the command has for its fields. */
const withOptions = (message: string): string =>
  message.replace('creditShards', '--credits').replace('messageShards', '--messages');

/** `npm run spread`: what the endpoint of operators does. A run that may change something is in the audit log. */
export const spreading = (deployment: Deployment, nowMs: Clock) => {
  const { table, vault } = deployment;
  const spreads = spreadStore(table, nowMs);
  const stores = { accounts: accountStore(table, vault, spreads), credits: creditStore(table, vault), spreads };
  const raise = raiseSpread(stores);
  const preview = raiseSpread({
    ...stores,
    credits: { raiseShards: async () => undefined },
    spreads: { of: spreads.of, raise: async () => undefined },
  });

  /**
   * Returns the numbers after the change.
   * @throws StartFailure when there is no such account, or it cannot have these numbers
   */
  return async (account: string, { credits, messages, isDryRun = false }: Wish) => {
    const wanted = { creditShards: numberOf(credits), messageShards: numberOf(messages) };
    const { data: body } = raiseSpreadContract.body.safeParse(wanted);
    if (!body) throw new StartFailure('--credits is a power of two from 1 to 64, and --messages one from 1 to 16.');
    const now = nowMs();
    const asked = { path: { id: account }, query: {}, body, newId: newId(now), nowMs: now };
    const after = await preview(asked).catch((thrown: unknown) => {
      throw thrown instanceof Fault ? new StartFailure(withOptions(thrown.message)) : thrown;
    });
    const isRead = credits === undefined && messages === undefined;
    if (isRead || isDryRun) return after;
    return auditing(deployment, 'npm run spread', nowMs)(account, () => raise(asked));
  };
};
