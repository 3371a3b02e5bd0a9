import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { iso, parseIso } from './time.ts';

const noon = '2026-11-20T12:00:00.000Z';

describe('parseIso', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-20T12:00', noon],
    ['2026-11-20T12:00:00', noon],
    ['2026-11-20t12:00:00z', noon],
    ['2026-11-20T12:00:00.5', '2026-11-20T12:00:00.500Z'],
    ['2026-11-20T12:00:00,5Z', '2026-11-20T12:00:00.500Z'],
    ['2026-11-20T12:00:00.123456789Z', '2026-11-20T12:00:00.123Z'],
    ['2026-11-20T18:00:00+06', noon],
    ['2026-11-20T18:00:00+0600', noon],
    ['2026-11-20T18:00+06:00', noon],
    ['2026-11-20T08:30:00-03:30', noon],
    ['2026-11-20T18:00:00 06:00', noon],
    ['2026-11-19T24:00:00', '2026-11-20T00:00:00.000Z'],
  ])('reads %s', (text, instant) => {
    expect(iso(parseIso(text) ?? Number.NaN)).toBe(instant);
  });

  it.each([
    '',
    'today',
    '1763640000',
    '2026',
    '2026-11',
    '20261120',
    '2026-W47',
    ' 2026-11-20',
    '2026-11-20Z',
    '2026-11-20 12:00',
    '2026-11-20T12',
    '2026-11-20T1:00',
    '2026-11-20T12:60',
    '2026-11-20T24:00:01',
    '2026-11-20T12:00:60Z',
    '2026-11-20T12:00:00.Z',
    '2026-11-20T12:00:00+25:00',
    '2026-11-20T12:00:00+06:00Z',
    '2026-00-10',
    '2026-13-01',
    '2026-02-29',
    '2026-02-30T10:00:00Z',
    '2026-04-31',
  ])('has no instant for "%s"', (text) => {
    expect(parseIso(text)).toBeUndefined();
  });

  it('parseIso reads every time that it writes', () => {
    const instant = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(instant, (date) => parseIso(iso(date.getTime())) === date.getTime()));
  });

  it('parseIso never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/)), (text) => {
        parseIso(text);
      }),
    );
  });
});
