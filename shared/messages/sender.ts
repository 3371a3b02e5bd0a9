import type { AccountSettings } from '../accounts/account.ts';
import { emailAddress } from './recipient.ts';

export interface Sender {
  readonly address: string;
  readonly name: string | undefined;
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/**
 * The sender of a mail. An address on an unverified domain is silently replaced by the platform's, and the send still succeeds
 * (messaging specification, "POST /messages", `from`).
 */
export const senderOf = (
  settings: AccountSettings['email'],
  asked: { readonly from?: string | undefined; readonly fromName?: string | undefined },
  platformAddress: string,
): Sender => {
  const wanted = emailAddress(asked.from ?? settings.fromAddress ?? '');
  const isVerified = wanted !== undefined && settings.verifiedDomains.includes(domainOf(wanted));
  return { address: isVerified ? wanted : platformAddress, name: asked.fromName ?? settings.fromName ?? undefined };
};

/** A mail that waited for its time, from an address that is verified still: its domain may have been removed meanwhile. */
export const verifiedStill = <Mail extends { readonly from: Sender }>(
  mail: Mail,
  settings: AccountSettings['email'],
  platformAddress: string,
): Mail => {
  const { address } = senderOf(settings, { from: mail.from.address }, platformAddress);
  return { ...mail, from: { ...mail.from, address } };
};
