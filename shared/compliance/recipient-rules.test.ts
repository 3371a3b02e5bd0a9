import { expect, it } from 'vitest';
import { newAccountSettings } from '../accounts/account.ts';
import { iso } from '../kit/time.ts';
import type { TextChannel } from '../messages/message.ts';
import type { OptOut } from './opt-out.ts';
import { recipientFacts } from './recipient-rules.ts';

const leftMs = Date.parse('2026-11-20T12:00:00.000Z');

/** Whether a contact that unsubscribed at `leftMs` still has, after it gave this consent, or its phone's holder asked for messages again. */
const isUnsubscribed = (
  channel: TextChannel,
  { consentAtMs, said = {} }: { readonly consentAtMs?: number; readonly said?: OptOut },
): boolean => {
  const at = iso(leftMs);
  const consent = consentAtMs === undefined ? undefined : ({ status: 'active', at: iso(consentAtMs) } as const);
  const cap = { times: [], version: 0 };
  const texted = { status: 'unsubscribed', unsubscribedAt: at, updatedAt: at, hasLeft: true, consent, cap } as const;
  return recipientFacts(channel, {
    settings: newAccountSettings('Shop'),
    holder: { contactId: 'contact', isRetired: false, texted },
    optOut: { said, version: 0 },
    windowOpenUntilMs: undefined,
  }).isUnsubscribed;
};

it('a contact that has unsubscribed is written to again only after a consent that is later', () => {
  for (const channel of ['sms', 'whatsapp'] as const) {
    expect(isUnsubscribed(channel, { consentAtMs: leftMs })).toBe(true);
    expect(isUnsubscribed(channel, { consentAtMs: leftMs + 1 })).toBe(false);
  }
});

it('what the holder of a phone said about all channels ends it on whatsapp only, because an sms requires a consent', () => {
  const said = { any: { status: 'active', at: iso(leftMs + 1) } } as const;
  expect(isUnsubscribed('whatsapp', { said })).toBe(false);
  expect(isUnsubscribed('sms', { said })).toBe(true);
});
