import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Channel, channels, textChannels } from '../messages/message.ts';
import { firstBlock, type GateFacts } from './gate.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');

const fine = (channel: Channel): GateFacts => ({
  channel,
  accountStatus: 'active',
  isRetired: false,
  suppressed: undefined,
  spam: undefined,
  contactStatus: 'active',
  consent: 'active',
  isUnsubscribed: false,
  quietUntilMs: undefined,
  capFreeAtMs: undefined,
  windowOpenUntilMs: nowMs + 1,
  nowMs,
});

/** Obstacles in the order of the rules, with their channels and the reason that the caller gets. */
const troubles: readonly (readonly [Partial<GateFacts>, readonly Channel[], RegExp])[] = [
  [{ accountStatus: 'frozen' }, channels, /^The account is frozen\.$/],
  [{ isRetired: true }, ['email'], /^The contact with this email is retired\.$/],
  [
    { suppressed: 'bounced' },
    channels,
    /^The recipient is suppressed \(bounced\)\. DELETE \/suppressions\/(email|sms|whatsapp)\/{address} lifts this\.$/,
  ],
  [{ spam: { rule: 'gtube' } }, channels, /^The spam scan rejects the content \(gtube\)\.$/],
  [{ contactStatus: 'quarantined' }, ['sms', 'whatsapp'], /^The contact is quarantined\.$/],
  [
    { isUnsubscribed: true },
    ['sms', 'whatsapp'],
    /^The contact has unsubscribed\. A new consent to (sms|whatsapp) lifts this\.$/,
  ],
  [
    { consent: 'withdrawn' },
    ['sms', 'whatsapp'],
    /^The contact has withdrawn its consent to (sms|whatsapp)\. A new consent to \1 lifts this\.$/,
  ],
  [
    { consent: undefined },
    ['sms'],
    /^The contact has not given its consent to sms\. Once it has, record it in the dashboard or with PUT \/admin\/v1\/contacts\/\{id\}\/consents\/sms\.$/,
  ],
  [
    { consent: undefined, contactStatus: 'complained' },
    ['sms', 'whatsapp'],
    /^The contact has not given its consent to (sms|whatsapp)\. Once it has, .+consents\/(sms|whatsapp)\.$/,
  ],
  [
    { quietUntilMs: nowMs + 1_000 },
    ['sms', 'whatsapp'],
    /^Quiet hours apply at the recipient: sending is possible from 2026-11-20T12:00:01\.000Z\.$/,
  ],
  [
    { capFreeAtMs: nowMs + 2_000 },
    ['sms', 'whatsapp'],
    /^The frequency cap for this contact is reached: sending is possible from 2026-11-20T12:00:02\.000Z\.$/,
  ],
  [{ windowOpenUntilMs: nowMs }, ['whatsapp'], /^The whatsapp window is closed: /],
];

describe('the gate', () => {
  it('permits a message that no rule blocks', () => {
    for (const channel of channels) expect(firstBlock(fine(channel))).toBeUndefined();
  });

  it.each(troubles)('blocks for %j on %j, and gives the reason', (facts, on, reason) => {
    for (const channel of channels) {
      const given = firstBlock({ ...fine(channel), ...facts })?.reason;
      if (on.includes(channel)) expect(given).toMatch(reason);
      else expect(given).toBeUndefined();
    }
  });

  it('gives the first of several reasons', () => {
    const some = fc.subarray(
      troubles.map((_, place) => place),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...channels), some, (channel, places) => {
        const drawn = places.map((place) => troubles[place]).filter((trouble) => trouble !== undefined);
        // The first of two obstacles about one fact counts, so it is applied last.
        const facts = Object.assign({}, fine(channel), ...drawn.map(([each]) => each).toReversed()) as GateFacts;
        const first = drawn.find(([, on]) => on.includes(channel));
        const given = firstBlock(facts)?.reason;
        if (first) expect(given).toMatch(first[2]);
        else expect(given).toBeUndefined();
      }),
    );
  });

  it('permits whatsapp without a recorded consent, and to a new contact', () => {
    const stranger = { contactStatus: undefined, consent: undefined };
    expect(firstBlock({ ...fine('whatsapp'), ...stranger })).toBeUndefined();
    expect(firstBlock({ ...fine('sms'), ...stranger })?.reason).toMatch(/No contact has this phone/);
    expect(firstBlock({ ...fine('email'), ...stranger })).toBeUndefined();
  });

  it.each(['bounced', 'complained'] as const)(
    'permits texts to a contact whose mails have %s with consent only',
    (contactStatus) => {
      for (const channel of textChannels) {
        expect(firstBlock({ ...fine(channel), contactStatus })).toBeUndefined();
        expect(firstBlock({ ...fine(channel), contactStatus, consent: undefined })?.reason).toMatch(
          /has not given its consent/,
        );
      }
    },
  );

  it('blocks whatsapp to a phone that has never written to the account', () => {
    expect(firstBlock({ ...fine('whatsapp'), windowOpenUntilMs: undefined })?.reason).toMatch(/window is closed/);
  });

  it('says from when a send is possible, where there is such a time', () => {
    const within = { ...fine('sms'), quietUntilMs: nowMs + 8 * 86_400_000 - 1 };
    expect(firstBlock(within)?.retryAtMs).toBe(within.quietUntilMs);
    expect(firstBlock({ ...within, quietUntilMs: within.quietUntilMs + 1 })).toEqual({
      by: 'quiet-hours',
      reason:
        'Quiet hours leave no time for a send: at all times, it is quiet in one of the recipient’s possible time zones.',
    });
  });

  it('does not block after quiet hours and a cap have just ended', () => {
    expect(firstBlock({ ...fine('sms'), quietUntilMs: nowMs, capFreeAtMs: nowMs })).toBeUndefined();
  });
});
