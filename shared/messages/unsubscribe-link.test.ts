import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountRef } from '../kit/account-ref.ts';
import { cipherOf, type Vault } from '../kit/cipher.ts';
import { newId } from '../kit/id.ts';
import { unsubscribeLinks, unsubscribeTokens } from './unsubscribe-link.ts';

const vault: Vault = {
  unlock: async ({ id, sealedKey }) => cipherOf(id, Buffer.from(sealedKey, 'base64')),
};
const newAccount = (): AccountRef => ({ id: newId(Date.now()), sealedKey: randomBytes(32).toString('base64') });
const account = newAccount();
const messageId = newId(Date.now());
const links = unsubscribeLinks(vault, 'https://api.example.com');
const tokens = unsubscribeTokens(vault);
const tokenFor = async (ref: AccountRef) => (await links.urlFor(ref, messageId)).split('/').at(-1) ?? '';

describe('unsubscribe links', () => {
  it('name an account and its message, and always the same', async () => {
    const url = await links.urlFor(account, messageId);
    expect(url).toMatch(/^https:\/\/api\.example\.com\/unsubscribe\/[\w-]{86}$/);
    expect(await links.urlFor(account, messageId)).toBe(url);
    const token = await tokenFor(account);
    expect(tokens.accountIn(token)).toBe(account.id);
    expect(await tokens.messageIn(account, token)).toBe(messageId);
  });

  it('count for nothing with any character changed', async () => {
    const token = await tokenFor(account);
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...alphabet), async (position, character) => {
        fc.pre(token[position] !== character);
        const forged = token.slice(0, position) + character + token.slice(position + 1);
        expect(await tokens.messageIn(account, forged)).toBeUndefined();
      }),
    );
  });

  it('count for nothing at another account, and when they are no token at all', async () => {
    expect(await tokens.messageIn(newAccount(), await tokenFor(account))).toBeUndefined();
    for (const text of ['', 'x', `${await tokenFor(account)}A`, 'é'.repeat(86), '%00', 'A'.repeat(85)]) {
      expect(tokens.accountIn(text)).toBeUndefined();
      expect(await tokens.messageIn(account, text)).toBeUndefined();
    }
  });
});
