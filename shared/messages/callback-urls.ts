import type { AccountRef } from '../kit/account-ref.ts';
import type { Cipher, Vault } from '../kit/cipher.ts';
import { isSameText } from '../kit/same-text.ts';

const inboundToken = (cipher: Cipher, { id }: AccountRef): string => cipher.fingerprint('sms-inbound', id);

/** The URLs for an account's providers. Reports of an sms have a URL per message. */
export const callbackUrls = (vault: Vault, baseUrl: string) => ({
  of: async (account: AccountRef): Promise<{ readonly smsInbound: string; readonly whatsapp: string }> => ({
    smsInbound: `${baseUrl}/callbacks/sms-inbound/${account.id}/${inboundToken(await vault.unlock(account), account)}`,
    whatsapp: `${baseUrl}/callbacks/whatsapp/${account.id}`,
  }),
});

/** Recognizes the account's own gateway by the last part of the URL that only it was given. */
export const inboundTokens = (vault: Vault) => ({
  isGenuine: async (account: AccountRef, token: string): Promise<boolean> =>
    isSameText(token, inboundToken(await vault.unlock(account), account)),
});

export type CallbackUrls = ReturnType<typeof callbackUrls>;
export type InboundTokens = ReturnType<typeof inboundTokens>;
