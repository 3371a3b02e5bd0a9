import type { FoundSession } from './session.ts';

/** Whose key calls, and its mode. */
export interface Owner {
  readonly account: { readonly id: string };
  readonly livemode: boolean;
}

/** What belongs to the account and mode of the key. Anything else is as unknown as what does not exist. */
export const ownOf = <Found extends FoundSession>(
  { account, livemode }: Owner,
  found: Found | undefined,
): Found | undefined =>
  found && found.account.id === account.id && found.session.livemode === livemode ? found : undefined;
