import { timingSafeEqual } from 'node:crypto';
import type { AccountRef } from '../kit/account-ref.ts';
import type { Cipher, Vault } from '../kit/cipher.ts';

const inboundToken = (cipher: Cipher, { id }: AccountRef): string => cipher.fingerprint('sms-inbound', id);

/** What an account's providers are to call; reports of an sms come to a URL of that message's own. */
export const callbackUrls = (vault: Vault, baseUrl: string) => ({
  of: async (account: AccountRef): Promise<{ readonly smsInbound: string; readonly whatsapp: string }> => ({
    smsInbound: `${baseUrl}/callbacks/sms-inbound/${account.id}/${inboundToken(await vault.unlock(account), account)}`,
    whatsapp: `${baseUrl}/callbacks/whatsapp/${account.id}`,
  }),
});

/** Tells the account's own gateway from anybody else, by the last part of the URL that it was given. */
export const inboundTokens = (vault: Vault) => ({
  isGenuine: async (account: AccountRef, token: string): Promise<boolean> => {
    const genuine = Buffer.from(inboundToken(await vault.unlock(account), account));
    const given = Buffer.from(token);
    return given.length === genuine.length && timingSafeEqual(given, genuine);
  },
});

export type CallbackUrls = ReturnType<typeof callbackUrls>;
export type InboundTokens = ReturnType<typeof inboundTokens>;
