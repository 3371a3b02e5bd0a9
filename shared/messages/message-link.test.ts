import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountRef } from '../kit/account-ref.ts';
import { cipherOf, type Vault } from '../kit/cipher.ts';
import { newId } from '../kit/id.ts';
import { type LinkKind, messageLinks, messageTokens } from './message-link.ts';

const vault: Vault = {
  unlock: async ({ id, sealedKey }) => cipherOf(id, Buffer.from(sealedKey, 'base64')),
};
const newAccount = (): AccountRef => ({ id: newId(Date.now()), sealedKey: randomBytes(32).toString('base64') });
const account = newAccount();
const messageId = newId(Date.now());
const links = messageLinks(vault, 'https://api.example.com');
const tokens = messageTokens(vault);
const tokenFor = async (ref: AccountRef, kind: LinkKind = 'unsubscribe') =>
  (await links.urlFor(kind, ref, messageId)).split('/').at(-1) ?? '';

describe('links of messages', () => {
  it.each([
    ['unsubscribe', 'https://api.example.com/unsubscribe/'],
    ['sms-report', 'https://api.example.com/callbacks/sms-reports/'],
  ] as const)('name an account and its message for %s, and always the same', async (kind, beginning) => {
    const url = await links.urlFor(kind, account, messageId);
    const token = url.slice(beginning.length);
    expect(url).toBe(beginning + token);
    expect(token).toMatch(/^[\w-]{86}$/);
    expect(await links.urlFor(kind, account, messageId)).toBe(url);
    expect(tokens.accountIn(token)).toBe(account.id);
    expect(await tokens.messageIn(kind, account, token)).toBe(messageId);
  });

  it('stay valid from one release to the next', async () => {
    const ref = { id: '0191e6a4-7c3b-7000-8000-000000000001', sealedKey: Buffer.alloc(32, 7).toString('base64') };
    const id = '0191e6a4-7c3b-7000-8000-000000000002';
    const token = 'AZHmpHw7cACAAAAAAAAAAQGR5qR8O3AAgAAAAAAAAAJq6qb0Js3oUIx4MfBpJ3iv08zuiJRunI8aMcV9HRSB0g';
    expect(await tokens.messageIn('unsubscribe', ref, token)).toBe(id);
  });

  it('count for nothing for another purpose', async () => {
    expect(await tokens.messageIn('unsubscribe', account, await tokenFor(account, 'sms-report'))).toBeUndefined();
    expect(await tokens.messageIn('sms-report', account, await tokenFor(account))).toBeUndefined();
  });

  it('count for nothing with any character changed', async () => {
    const token = await tokenFor(account);
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...alphabet), async (position, character) => {
        fc.pre(token[position] !== character);
        const forged = token.slice(0, position) + character + token.slice(position + 1);
        expect(await tokens.messageIn('unsubscribe', account, forged)).toBeUndefined();
      }),
    );
  });

  it('count for nothing at another account, and when they are no token at all', async () => {
    expect(await tokens.messageIn('unsubscribe', newAccount(), await tokenFor(account))).toBeUndefined();
    for (const text of ['', 'x', `${await tokenFor(account)}A`, 'é'.repeat(86), '%00', 'A'.repeat(85)]) {
      expect(tokens.accountIn(text)).toBeUndefined();
      expect(await tokens.messageIn('unsubscribe', account, text)).toBeUndefined();
    }
  });
});
