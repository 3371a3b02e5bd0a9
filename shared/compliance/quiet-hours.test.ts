import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelRuns } from '../../test/model-runs.ts';
import { iso } from '../kit/time.ts';
import { quietUntil } from './quiet-hours.ts';
import { quietHoursRules } from './quiet-hours-rules.ts';
import { regionOf } from './region.ts';

const bangladesh = '+8801700000000';
const india = '+919876543210';
const nepal = '+9779812345678';
const france = '+33612345678';
/** A number in New York's time zone only. */
const bahamas = '+12423591234';
const usa = '+12125550100';
const satellite = '+870123456789';

const night = { start: '21:00', end: '08:00' };
const none = { start: '00:00', end: '00:00' };
type QuietHours = NonNullable<Parameters<typeof quietUntil>[0]>;

const until = (quietHours: QuietHours, phone: string, now: string): string | undefined => {
  const untilMs = quietUntil(quietHours, phone, Date.parse(now));
  return untilMs === undefined ? undefined : iso(untilMs);
};

describe('quiet hours', () => {
  it.each([
    ['just before they start', night, bangladesh, '2026-11-20T14:59:59.999Z', undefined],
    ['as they start', night, bangladesh, '2026-11-20T15:00:00.000Z', '2026-11-21T02:00:00.000Z'],
    ['at midnight', night, bangladesh, '2026-11-20T18:00:00.000Z', '2026-11-21T02:00:00.000Z'],
    ['just before midnight', night, bangladesh, '2026-11-20T17:59:59.999Z', '2026-11-21T02:00:00.000Z'],
    ['just before they end', night, bangladesh, '2026-11-21T01:59:59.999Z', '2026-11-21T02:00:00.000Z'],
    ['as they end', night, bangladesh, '2026-11-21T02:00:00.000Z', undefined],
    ['within a day', { start: '12:00', end: '14:30' }, bangladesh, '2026-11-20T07:00:00Z', '2026-11-20T08:30:00.000Z'],
    [
      'up to midnight',
      { start: '22:00', end: '00:00' },
      bangladesh,
      '2026-11-20T16:30:00Z',
      '2026-11-20T18:00:00.000Z',
    ],
    ['from midnight', { start: '00:00', end: '06:00' }, bangladesh, '2026-11-20T18:00:00Z', '2026-11-21T00:00:00.000Z'],
    ['of no length', { start: '21:00', end: '21:00' }, bangladesh, '2026-11-20T15:00:00Z', undefined],
    ['at a half-hour offset', night, india, '2026-11-20T15:30:00Z', '2026-11-21T02:30:00.000Z'],
    ['before it, at a half-hour offset', night, india, '2026-11-20T15:29:00Z', undefined],
    ['at a 45-minute offset', night, nepal, '2026-11-20T15:15:00Z', '2026-11-21T02:15:00.000Z'],
    ['at no full minute', night, nepal, '2026-11-20T15:15:12.345Z', '2026-11-21T02:15:00.000Z'],
  ])('%s', (_, quietHours, phone, now, end) => {
    expect(until(quietHours, phone, now)).toBe(end);
  });

  it.each([
    ['Paris goes forward in the night', night, france, '2026-03-28T22:00:00Z', '2026-03-29T06:00:00.000Z'],
    ['Paris goes back in the night', night, france, '2026-10-24T21:00:00Z', '2026-10-25T07:00:00.000Z'],
    ['New York goes forward', night, bahamas, '2026-03-08T03:00:00Z', '2026-03-08T12:00:00.000Z'],
    ['New York goes back', night, bahamas, '2026-11-01T02:00:00Z', '2026-11-01T13:00:00.000Z'],
    [
      'the end is skipped',
      { start: '22:00', end: '02:30' },
      france,
      '2026-03-28T23:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'the end comes twice',
      { start: '22:00', end: '02:30' },
      france,
      '2026-10-24T23:00:00Z',
      '2026-10-25T00:30:00.000Z',
    ],
    ['the second end', { start: '22:00', end: '02:30' }, france, '2026-10-25T01:15:00Z', '2026-10-25T01:30:00.000Z'],
    ['all of it is skipped', { start: '02:10', end: '02:50' }, france, '2026-03-29T01:00:00Z', undefined],
  ])('when clocks change: %s', (_, quietHours, phone, now, end) => {
    expect(until(quietHours, phone, now)).toBe(end);
  });

  it.each([
    ['when it is quiet in the east', '2026-01-15T02:00:00Z', '2026-01-15T16:00:00.000Z'],
    ['until it is over in the west', '2026-01-15T15:59:00Z', '2026-01-15T16:00:00.000Z'],
    ['in no zone', '2026-01-15T16:00:00Z', undefined],
    ['before the east', '2026-01-16T01:59:59Z', undefined],
    ['in the night that clocks go forward', '2026-03-08T02:00:00Z', '2026-03-08T15:00:00.000Z'],
    ['in the night that clocks go back', '2026-11-01T02:00:00Z', '2026-11-01T16:00:00.000Z'],
  ])('hold where a number can be in several zones: %s', (_, now, end) => {
    expect(until(night, usa, now)).toBe(end);
  });

  it('hold for the named countries only, and for a number of no country, on UTC', () => {
    const named = { ...night, countries: ['BD', 'IN'] };
    expect(until(named, bangladesh, '2026-11-20T15:00:00Z')).toBe('2026-11-21T02:00:00.000Z');
    expect(until(named, nepal, '2026-11-20T16:00:00Z')).toBeUndefined();
    expect(until(named, satellite, '2026-11-20T20:59:00Z')).toBeUndefined();
    expect(until(named, satellite, '2026-11-20T21:00:00Z')).toBe('2026-11-21T08:00:00.000Z');
  });

  it('are none when the account has none', () => {
    expect(quietUntil(null, bangladesh, Date.parse('2026-11-20T20:00:00Z'))).toBeUndefined();
  });

  it('end after 8 days of search when windows and zones leave no time', () => {
    const always = { start: '00:00', end: '23:59' };
    expect(until(always, usa, '2026-11-20T12:34:56Z')).toBe('2026-11-28T12:34:56.000Z');
    expect(until(always, bangladesh, '2026-11-20T12:00:00Z')).toBe('2026-11-20T17:59:00.000Z');
  });
});

describe('quiet hours of countries', () => {
  const withRules = { ...none, withCountryRules: true };

  it('apply only when the account enables them, beside its own window and also outside its countries', () => {
    const late = '2026-11-20T21:30:00Z';
    expect(until(none, france, late)).toBeUndefined();
    expect(until(withRules, france, late)).toBe('2026-11-21T07:00:00.000Z');
    expect(until({ ...night, countries: ['BD'], withCountryRules: true }, france, late)).toBe(
      '2026-11-21T07:00:00.000Z',
    );
    expect(until({ start: '06:00', end: '10:00', withCountryRules: true }, france, late)).toBe(
      '2026-11-21T09:00:00.000Z',
    );
  });

  it('keep French Sundays quiet, from Saturday night to Monday morning', () => {
    expect(until(withRules, france, '2026-11-21T20:59:00Z')).toBeUndefined();
    expect(until(withRules, france, '2026-11-21T21:00:00Z')).toBe('2026-11-23T07:00:00.000Z');
    expect(until(withRules, france, '2026-11-22T12:00:00Z')).toBe('2026-11-23T07:00:00.000Z');
  });

  it('do not apply to countries without a row, and to numbers without a country', () => {
    expect(until(withRules, bangladesh, '2026-11-20T20:00:00Z')).toBeUndefined();
    expect(until(withRules, satellite, '2026-11-20T02:00:00Z')).toBeUndefined();
  });

  /** When the sources of the rows allow advertising. */
  const allowed = [
    ['US', '08:00', '21:00', usa],
    ['CA', '08:00', '20:00', '+14165550100'],
    ['MX', '08:00', '20:00', '+525512345678'],
    ['BR', '08:00', '21:00', '+5511961234567'],
    ['KZ', '09:00', '22:00', '+77011234567'],
    ['FR', '08:00', '22:00', france],
    ['IN', '10:00', '21:00', india],
  ] as const;

  it('have a row for each country whose source is known', () => {
    expect(Object.keys(quietHoursRules.countries)).toEqual(allowed.map(([country]) => country));
  });

  it.each(allowed)(
    '%s: sending is possible from %s to %s on a weekday, in all its zones',
    (country, from, to, phone) => {
      expect(regionOf(phone).country).toBe(country);
      const window = { start: to, end: from };
      for (let hour = 0; hour < 24; hour += 1) {
        const now = iso(Date.parse('2026-11-18T00:00:00Z') + hour * 3_600_000);
        expect(until(withRules, phone, now)).toBe(until(window, phone, now));
      }
    },
  );

  it('are dated, and each row names its source', () => {
    expect(quietHoursRules.version).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const { start, end, source } of Object.values(quietHoursRules.countries)) {
      expect(`${start} ${end}`).toMatch(/^[012]\d:[0-5]\d [012]\d:[0-5]\d$/);
      expect(source).not.toBe('');
    }
  });
});

describe('what quiet hours promise', () => {
  const timeOfDay = fc
    .tuple(fc.nat(23), fc.nat(59))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
  const phones = fc.constantFrom(
    bangladesh,
    india,
    nepal,
    france,
    bahamas,
    usa,
    satellite,
    '+61412345678',
    '+5511961234567',
  );
  /** Any time, and more often one in a night in which clocks change. */
  const times = fc.oneof(
    fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }).map(Number),
    fc
      .tuple(
        fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'),
        fc.nat(172_800_000),
      )
      .map(([day, sinceMs]) => Date.parse(day) - 86_400_000 + sinceMs),
  );

  const clocks = new Map<string, Intl.DateTimeFormat>();
  /** Kept, because a new one takes longer than all else here. */
  const clockOf = (timeZone: string): Intl.DateTimeFormat => {
    const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' });
    clocks.set(timeZone, clock);
    return clock;
  };

  /** Read from a clock's face, as text. */
  const isQuiet = ({ start, end }: QuietHours, phone: string, atMs: number): boolean =>
    regionOf(phone).timeZones.some((timeZone) => {
      const time = clockOf(timeZone).format(atMs);
      return start <= end ? start <= time && time < end : start <= time || time < end;
    });

  it('sending is possible at the returned time, and not before it', () => {
    fc.assert(
      fc.property(timeOfDay, timeOfDay, phones, times, (start, end, phone, nowMs) => {
        const window = { start, end };
        const untilMs = quietUntil(window, phone, nowMs);
        expect(untilMs !== undefined).toBe(isQuiet(window, phone, nowMs));
        if (untilMs === undefined) return;
        const isOver = untilMs < nowMs + 8 * 86_400_000;
        expect(isQuiet(window, phone, untilMs)).toBe(!isOver);
        expect(quietUntil(window, phone, untilMs) === undefined).toBe(isOver);
        const before = [
          untilMs - 1,
          untilMs - 60_000,
          ...Array.from({ length: 12 }, (_, nth) => nowMs + ((untilMs - nowMs) * nth) / 12),
        ];
        for (const atMs of before) if (atMs >= nowMs) expect(isQuiet(window, phone, atMs)).toBe(true);
      }),
      { numRuns: modelRuns(40) },
    );
  });
});
