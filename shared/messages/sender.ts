import type { AccountSettings } from '../accounts/account.ts';
import { emailAddress } from './email-address.ts';

export interface Sender {
  readonly address: string;
  readonly name: string | undefined;
}

/** What mails of this platform come from. */
export interface PlatformAddresses {
  /** The sender's address when the account's own domain is not verified. */
  readonly platformAddress: string;
  /** That of the platform's own mails to people, such as links to sign in. No account sends from it, unless it is the same. */
  readonly peopleAddress: string;
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/**
 * The sender of a mail. An address on an unverified domain is silently replaced by the platform's, and the send still succeeds
 * (messaging specification, "POST /messages", `from`).
 */
export const senderOf = (
  settings: AccountSettings['email'],
  asked: { readonly from?: string | undefined; readonly fromName?: string | undefined },
  { platformAddress, peopleAddress }: PlatformAddresses,
): Sender => {
  const wanted = emailAddress(asked.from ?? settings.fromAddress ?? '');
  const isOwn =
    wanted !== undefined && settings.verifiedDomains.includes(domainOf(wanted)) && !isSame(wanted, peopleAddress);
  return { address: isOwn ? wanted : platformAddress, name: asked.fromName ?? settings.fromName ?? undefined };
};

/** A mail that waited for its time, from an address that is verified still: its domain may have been removed meanwhile. */
export const verifiedStill = <Mail extends { readonly from: Sender }>(
  mail: Mail,
  settings: AccountSettings['email'],
  addresses: PlatformAddresses,
): Mail => {
  const { address } = senderOf(settings, { from: mail.from.address }, addresses);
  return { ...mail, from: { ...mail.from, address } };
};
