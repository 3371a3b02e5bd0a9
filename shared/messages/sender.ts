import type { AccountSettings } from '../accounts/account.ts';

export interface Sender {
  readonly address: string;
  readonly name: string | undefined;
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/**
 * Who a mail comes from. An address on a domain that the account has not verified is silently replaced by the platform's,
 * and the send still succeeds (specification, POST /messages, `from`).
 */
export const senderOf = (
  settings: AccountSettings['email'],
  asked: { readonly from?: string | undefined; readonly fromName?: string | undefined },
  platformAddress: string,
): Sender => {
  const wanted = asked.from ?? settings.fromAddress ?? platformAddress;
  const isVerified = settings.verifiedDomains.includes(domainOf(wanted));
  return { address: isVerified ? wanted : platformAddress, name: asked.fromName ?? settings.fromName ?? undefined };
};
