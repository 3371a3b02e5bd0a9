import type { AccountRef } from '../kit/account-ref.ts';
import type { Cipher, Vault } from '../kit/cipher.ts';
import { isSameText } from '../kit/same-text.ts';
import { staysValid } from '../kit/stays-valid.ts';

/** A URL for inbound sms that an account has, or had until a time. The first one of each account has no version. */
export interface InboundUrl {
  readonly version?: string;
  readonly validUntilMs?: number;
}

/** The current one, then those before it, the newest first. */
export type InboundUrls = readonly [InboundUrl, ...InboundUrl[]];

/** Those of an account that has never replaced its URL. */
export const firstInboundUrls: InboundUrls = [{}];

/** The URLs after a rotation. The previous one is valid until this time, and of those before it the one that stays so. */
export const rotated = (
  [current, ...earlier]: InboundUrls,
  { version, previousValidUntilMs }: { readonly version: string; readonly previousValidUntilMs: number },
  nowMs: number,
): InboundUrls => {
  const older = staysValid(earlier, previousValidUntilMs, nowMs);
  return [{ version }, { ...current, validUntilMs: previousValidUntilMs }, ...(older ? [older] : [])];
};

export interface AccountOfUrls {
  readonly ref: AccountRef;
  readonly inboundUrls: InboundUrls;
}

const inboundToken = (cipher: Cipher, { id }: AccountRef, { version }: InboundUrl): string =>
  cipher.fingerprint('sms-inbound', version === undefined ? id : `${id}/${version}`);

/** The URLs for an account's providers. Reports of an sms have a URL per message. */
export const callbackUrls = (vault: Vault, baseUrl: string) => ({
  of: async ({
    ref,
    inboundUrls: [current],
  }: AccountOfUrls): Promise<{ readonly smsInbound: string; readonly whatsapp: string }> => ({
    smsInbound: `${baseUrl}/callbacks/sms-inbound/${ref.id}/${inboundToken(await vault.unlock(ref), ref, current)}`,
    whatsapp: `${baseUrl}/callbacks/whatsapp/${ref.id}`,
  }),
});

/** Recognizes the account's own gateway by the last part of the URL that only it was given. */
export const inboundTokens = (vault: Vault) => ({
  isGenuine: async ({ ref, inboundUrls }: AccountOfUrls, token: string, nowMs: number): Promise<boolean> => {
    const cipher = await vault.unlock(ref);
    return inboundUrls
      .filter(({ validUntilMs = Number.POSITIVE_INFINITY }) => nowMs < validUntilMs)
      .some((url) => isSameText(token, inboundToken(cipher, ref, url)));
  },
});

export type CallbackUrls = ReturnType<typeof callbackUrls>;
export type InboundTokens = ReturnType<typeof inboundTokens>;
