import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { describe, expect, it } from 'vitest';
import { regionOf } from './region.ts';

const offsetsNow = (zones: readonly string[]): Set<string | undefined> =>
  new Set(
    zones.map((timeZone) =>
      new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
        .formatToParts(Date.parse('2026-01-15T12:00:00Z'))
        .map(({ type, value }) => (type === 'timeZoneName' ? value : ''))
        .join(''),
    ),
  );

describe('region', () => {
  it.each([
    ['+8801700000000', 'BD', ['GMT+06:00']],
    ['+919876543210', 'IN', ['GMT+05:30']],
    ['+9779812345678', 'NP', ['GMT+05:45']],
    ['+33612345678', 'FR', ['GMT+01:00']],
    ['+447400123456', 'GB', ['GMT+00:00']],
    ['+447781123456', 'GG', ['GMT+00:00']],
    ['+77011234567', 'KZ', ['GMT+05:00']],
    ['+18765550100', 'JM', ['GMT-05:00']],
    ['+262692123456', 'RE', ['GMT+04:00']],
    ['+38349123456', 'XK', ['GMT+01:00']],
    ['+2474123', 'AC', ['GMT+00:00']],
  ])('%s is in %s, at %j', (phone, country, offsets) => {
    const region = regionOf(phone);
    expect(region.country).toBe(country);
    expect([...offsetsNow(region.timeZones)]).toEqual(offsets);
  });

  it('gives all zones of a country that has several', () => {
    const { country, timeZones } = regionOf('+14165550100');
    expect(country).toBe('CA');
    expect(timeZones).toContain('America/St_Johns');
    expect(timeZones).toContain('America/Vancouver');
    expect(regionOf('+5511961234567').timeZones).toContain('America/Rio_Branco');
  });

  it('keeps Alaska and Hawaii apart from the rest of the USA, by their area codes', () => {
    const mainland = [...offsetsNow(regionOf('+12125550100').timeZones)].toSorted();
    expect(mainland).toEqual(['GMT-05:00', 'GMT-06:00', 'GMT-07:00', 'GMT-08:00']);
    expect([...offsetsNow(regionOf('+18085550100').timeZones)]).toEqual(['GMT-10:00']);
    expect([...offsetsNow(regionOf('+19075550100').timeZones)].toSorted()).toEqual(['GMT-09:00', 'GMT-10:00']);
    expect(regionOf('+18085550100').country).toBe('US');
  });

  it('takes a number that fits no plan for one of the main country of its code', () => {
    expect(regionOf('+12005551234').country).toBe('US');
    expect(regionOf('+262639123456').country).toBe('RE');
    expect(regionOf('+70000000').country).toBe('RU');
    expect(regionOf('+12345678').country).toBe('US');
  });

  it.each(['+883510000000000', '+8001234567', '+870123456789', '+9991234567'])(
    '%s is of no country, and on UTC',
    (phone) => {
      expect(regionOf(phone)).toEqual({ country: undefined, timeZones: ['Etc/UTC'] });
    },
  );

  it('knows a time zone of every country that has a calling code', () => {
    const strays = getCountries().filter((country) => {
      const { timeZones } = regionOf(`+${getCountryCallingCode(country)}0000000`);
      return timeZones.length === 0 || timeZones.includes('Etc/UTC');
    });
    expect(getCountries().length).toBeGreaterThan(200);
    expect(strays).toEqual([]);
  });
});
