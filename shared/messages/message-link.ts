import type { AccountRef } from '../kit/account-ref.ts';
import type { Cipher, Vault } from '../kit/cipher.ts';
import { bytesOfId, idBytes, idOfBytes } from '../kit/id.ts';
import { isSameText } from '../kit/same-text.ts';

/** The purpose of a link; a token is invalid for any other purpose. */
export type LinkKind = 'unsubscribe' | 'sms-report';

const paths: Readonly<Record<LinkKind, string>> = {
  /** The unsubscribe link of a message: by one click in the mail program (RFC 8058), or on a page. */
  unsubscribe: '/unsubscribe',
  /** Where a gateway reports the delivery of an sms. */
  'sms-report': '/callbacks/sms-reports',
};

/** 64 bytes in base64url: two ids and the seal over them. */
const tokenShape = /^[\w-]{86}$/;

const idIn = (token: string, position: number): string =>
  idOfBytes(Buffer.from(token, 'base64url').subarray(position * idBytes, (position + 1) * idBytes));

/** A token for an account's message, authenticated with the account's own key. It contains no personal data and never expires. */
const tokenOf = (cipher: Cipher, kind: LinkKind, accountId: string, messageId: string): string => {
  const seal = Buffer.from(cipher.fingerprint(kind, messageId), 'base64url');
  return Buffer.concat([bytesOfId(accountId), bytesOfId(messageId), seal]).toString('base64url');
};

/** Links that stand for one message. */
export const messageLinks = (vault: Vault, baseUrl: string) => ({
  urlFor: async (kind: LinkKind, account: AccountRef, messageId: string): Promise<string> =>
    `${baseUrl}${paths[kind]}/${tokenOf(await vault.unlock(account), kind, account.id, messageId)}`,
});

/** Reads the tokens of those links. */
export const messageTokens = (vault: Vault) => ({
  /** The account that a token claims. */
  accountIn: (token: string): string | undefined => (tokenShape.test(token) ? idIn(token, 0) : undefined),

  /** The message of a token, if the token is valid for this purpose and account. */
  messageIn: async (kind: LinkKind, account: AccountRef, token: string): Promise<string | undefined> => {
    if (!tokenShape.test(token)) return undefined;
    const messageId = idIn(token, 1);
    const genuine = tokenOf(await vault.unlock(account), kind, account.id, messageId);
    return isSameText(token, genuine) ? messageId : undefined;
  },
});

export type MessageLinks = ReturnType<typeof messageLinks>;
export type MessageTokens = ReturnType<typeof messageTokens>;
