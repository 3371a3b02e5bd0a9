import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelRuns } from '../../test/model-runs.ts';
import { newAccountSettings } from '../accounts/account.ts';
import { contactStatuses } from '../contacts/contact.ts';
import { newId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import { textChannels } from '../messages/message.ts';
import { newEmail, newText } from '../messages/new-message.ts';
import { consentStatuses } from './consent.ts';
import { type Draft, judge } from './gate.ts';
import type { OptOut } from './opt-out.ts';
import type { Holder, SendContext, TextedContact } from './send-context.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const phone = '+8801700000001';
const windowSeconds = 3_600;
const times = (least: number, most: number) => fc.integer({ min: nowMs + least * 1_000, max: nowMs + most * 1_000 });
/** Mostly permitting values, so that samples with a single obstacle are common. */
const mostly = <T>(permits: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(permits) }, { weight: 1, arbitrary: others });
const past = times(-100, -1).map(iso);
const said = fc.record({ status: fc.constantFrom(...consentStatuses), at: past });
const spam = mostly<Draft['spam']>(undefined, fc.constant({ rule: 'gtube' }));

const texted: fc.Arbitrary<TextedContact> = fc.record({
  status: mostly('active', fc.constantFrom(...contactStatuses)),
  updatedAt: past,
  unsubscribedAt: fc.option(past),
  hasLeft: fc.boolean(),
  consent: mostly<TextedContact['consent']>({ status: 'active', at: iso(nowMs) }, fc.option(said, { nil: undefined })),
  cap: fc.record({ times: fc.array(times(-2 * windowSeconds, 0), { maxLength: 5 }), version: fc.nat({ max: 9 }) }),
});

/** It is noon in London and 18:00 in Dhaka, where the phone is. */
const quietHours = mostly<SendContext['settings']['quietHours']>(
  { start: '21:00', end: '08:00' },
  fc.constantFrom(null, { start: '17:00', end: '19:00' }),
);
const frequencyCap = fc.option(fc.record({ max: fc.integer({ min: 1, max: 4 }), windowSeconds: fc.constant(3_600) }));
const status = mostly<SendContext['settings']['status']>('active', fc.constant('frozen'));
const settings = fc
  .record({ status, quietHours, frequencyCap })
  .map((changes) => ({ ...newAccountSettings('Shop'), ...changes }));

const holder: fc.Arbitrary<Holder> = fc.record({
  contactId: fc.constant('contact'),
  isRetired: fc.constant(false),
  texted,
});

const contexts: fc.Arbitrary<SendContext> = fc.record({
  settings,
  holder: fc.option(holder, { nil: undefined, freq: 5 }),
  optOut: fc.record({
    said: mostly<OptOut>({}, fc.record({ any: said, sms: said, whatsapp: said }, { requiredKeys: [] })),
    version: fc.nat({ max: 9 }),
  }),
  windowOpenUntilMs: mostly<number | undefined>(nowMs + 1, fc.option(times(-10, 10), { nil: undefined })),
});

const texts: fc.Arbitrary<Draft> = fc.record({ channel: fc.constantFrom(...textChannels), spam }).map((drawn) => ({
  message: newText({ channel: drawn.channel, to: phone }, newId(nowMs), 'Hi', 'masked'),
  contact: { phone },
  text: 'Hi',
  spam: drawn.spam,
}));

const emails: fc.Arbitrary<Draft> = spam.map((found) => ({
  message: newEmail({ channel: 'email', to: 'ada@example.com' }, newId(nowMs)),
  contact: { email: 'ada@example.com' },
  spam: found,
}));

const runs = { numRuns: modelRuns(60) };

const isOut = ({ status, hasLeft }: TextedContact) => status === 'unsubscribed' || hasLeft;

/** The rules for texts (messaging specification, "POST /messages"), as one expression each. */
const maySend = ({ message: { channel }, ...draft }: Draft, context: SendContext): boolean => {
  const { quietHours: quiet, frequencyCap: cap, status: accountStatus } = context.settings;
  const of = context.holder?.texted;
  const { any, [channel === 'email' ? 'any' : channel]: own } = context.optOut?.said ?? {};
  const isStopped = own?.status === 'withdrawn' || (any?.status === 'withdrawn' && !(own && own.at > any.at));
  const agreed = channel === 'whatsapp' ? [of?.consent, any] : [of?.consent];
  const counting = (of?.cap.times ?? []).filter((timeMs) => timeMs > nowMs - windowSeconds * 1_000).length;
  return [
    accountStatus === 'active',
    draft.spam === undefined,
    of?.status !== 'quarantined',
    !of || !isOut(of) || agreed.some((one) => one?.status === 'active' && one.at > (of.unsubscribedAt ?? of.updatedAt)),
    !isStopped && of?.consent?.status !== 'withdrawn',
    of?.consent?.status === 'active' ||
      (channel === 'whatsapp' && !['bounced', 'complained'].includes(of?.status ?? '')),
    quiet?.start !== '17:00',
    !cap || counting < cap.max,
    channel === 'sms' || (context.windowOpenUntilMs ?? 0) > nowMs,
  ].every(Boolean);
};

describe('judging a text', () => {
  it('is permitted exactly when the account, the contact, the phone, the time and the cap all permit it', () => {
    const seen = { permitted: 0, blocked: 0 };
    fc.assert(
      fc.property(texts, contexts, (draft, context) => {
        const isPermitted = 'slot' in judge(draft, context, nowMs);
        seen[isPermitted ? 'permitted' : 'blocked'] += 1;
        expect(isPermitted).toBe(maySend(draft, context));
      }),
      { numRuns: modelRuns(250) },
    );
    expect(Math.min(seen.permitted, seen.blocked)).toBeGreaterThan(25);
  });

  it('takes a slot that keeps to the cap, or none where there is no cap', () => {
    fc.assert(
      fc.property(texts, contexts, (draft, context) => {
        const verdict = judge(draft, context, nowMs);
        if ('blocked' in verdict) return;
        const { frequencyCap: cap } = context.settings;
        expect(verdict.slot === undefined).toBe(cap === null);
        if (!cap || !verdict.slot) return;
        expect(verdict.slot.times.length).toBeLessThanOrEqual(cap.max);
        expect(verdict.slot.times).toContain(nowMs);
        expect(verdict.slot.endsMs).toBe(nowMs + cap.windowSeconds * 1_000);
      }),
      runs,
    );
  });

  it('gets the same verdict each time, and its input is unchanged', () => {
    fc.assert(
      fc.property(texts, contexts, (draft, context) => {
        const before = structuredClone(context);
        expect(judge(draft, context, nowMs)).toEqual(judge(draft, context, nowMs));
        expect(context).toEqual(before);
      }),
      runs,
    );
  });
});

describe('judging an email', () => {
  it('depends only on a frozen account, a retired contact and spam', () => {
    fc.assert(
      fc.property(emails, contexts, fc.boolean(), (draft, context, isRetired) => {
        const { settings: of } = context;
        const found = context.holder && { ...context.holder, isRetired };
        const verdict = judge(draft, { ...context, holder: found }, nowMs);
        const isBlocked = of.status === 'frozen' || found?.isRetired === true || draft.spam !== undefined;
        if (isBlocked) expect(verdict).toHaveProperty('blocked');
        else expect(verdict).toEqual({ slot: undefined });
      }),
      runs,
    );
  });

  it('names the rule, so that only spam counts against a contact', () => {
    const context = { settings: newAccountSettings('Shop'), holder: undefined, optOut: undefined };
    const [draft] = fc.sample(emails, 1);
    if (!draft) throw new Error('no email was drawn');
    const verdict = judge({ ...draft, spam: { rule: 'gtube' } }, { ...context, windowOpenUntilMs: undefined }, nowMs);
    expect(verdict).toEqual({ blocked: { by: 'spam', reason: 'The spam scan rejects the content (gtube).' } });
  });
});
