import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Channel, channels } from '../messages/message.ts';
import { blockOf, type GateFacts } from './gate.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');

const fine = (channel: Channel): GateFacts => ({
  channel,
  accountStatus: 'active',
  isRetired: false,
  spam: undefined,
  contactStatus: 'active',
  consent: 'active',
  isConsentLater: false,
  quietUntilMs: undefined,
  capFreeAtMs: undefined,
  windowOpenUntilMs: nowMs + 1,
  nowMs,
});

/** What is wrong, in the order of decisions that the specification leaves open; where it matters; and what the caller is told. */
const troubles: readonly (readonly [Partial<GateFacts>, readonly Channel[], RegExp])[] = [
  [{ accountStatus: 'frozen' }, channels, /^The account is frozen\.$/],
  [{ isRetired: true }, channels, /^The contact with this (email|phone) is retired\.$/],
  [{ spam: { rule: 'gtube' } }, channels, /^The spam scan refuses the content \(gtube\)\.$/],
  [{ contactStatus: 'quarantined' }, ['sms', 'whatsapp'], /^The contact is quarantined\.$/],
  [{ contactStatus: 'unsubscribed' }, ['sms', 'whatsapp'], /^The contact has unsubscribed\.$/],
  [{ consent: 'withdrawn' }, ['sms', 'whatsapp'], /^The contact has withdrawn its consent to (sms|whatsapp)\.$/],
  [{ consent: undefined }, ['sms'], /^The contact has not given its consent to sms\.$/],
  [
    { quietUntilMs: nowMs + 1_000 },
    ['sms', 'whatsapp'],
    /^Quiet hours at the recipient: sending is possible from 2026-11-20T12:00:01\.000Z\.$/,
  ],
  [
    { capFreeAtMs: nowMs + 2_000 },
    ['sms', 'whatsapp'],
    /^The frequency cap for this contact is reached: sending is possible from 2026-11-20T12:00:02\.000Z\.$/,
  ],
  [{ windowOpenUntilMs: nowMs }, ['whatsapp'], /^The whatsapp window is closed: /],
];

describe('gate', () => {
  it('lets through what nothing speaks against', () => {
    for (const channel of channels) expect(blockOf(fine(channel))).toBeUndefined();
  });

  it.each(troubles)('%j blocks %j, and says so', (facts, on, reason) => {
    for (const channel of channels) {
      const told = blockOf({ ...fine(channel), ...facts });
      if (on.includes(channel)) expect(told).toMatch(reason);
      else expect(told).toBeUndefined();
    }
  });

  it('tells the first of several reasons', () => {
    const some = fc.subarray(
      troubles.map((_, place) => place),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...channels), some, (channel, places) => {
        const drawn = places.map((place) => troubles[place]).filter((trouble) => trouble !== undefined);
        // Of two about the same fact the first counts, so it has to be written last.
        const facts = Object.assign({}, fine(channel), ...drawn.map(([each]) => each).toReversed()) as GateFacts;
        const first = drawn.find(([, on]) => on.includes(channel));
        const told = blockOf(facts);
        if (first) expect(told).toMatch(first[2]);
        else expect(told).toBeUndefined();
      }),
    );
  });

  it('sends whatsapp without a recorded consent, and to a contact that there is not yet', () => {
    const stranger = { contactStatus: undefined, consent: undefined };
    expect(blockOf({ ...fine('whatsapp'), ...stranger })).toBeUndefined();
    expect(blockOf({ ...fine('sms'), ...stranger })).toMatch(/not given its consent/);
    expect(blockOf({ ...fine('email'), ...stranger })).toBeUndefined();
  });

  it('sends sms to a contact whose mails bounced or were complained about', () => {
    for (const contactStatus of ['bounced', 'complained'] as const)
      expect(blockOf({ ...fine('sms'), contactStatus })).toBeUndefined();
  });

  it('keeps whatsapp out that was never written to', () => {
    expect(blockOf({ ...fine('whatsapp'), windowOpenUntilMs: undefined })).toMatch(/window is closed/);
  });

  it('holds nothing back for what is over', () => {
    expect(blockOf({ ...fine('sms'), quietUntilMs: nowMs, capFreeAtMs: nowMs })).toBeUndefined();
  });
});
