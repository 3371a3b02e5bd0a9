/// <reference lib="esnext.intl" />
import parsePhoneNumber from 'libphonenumber-js/min';
import numbering from 'libphonenumber-js/min/metadata';

/** The possible location of a number's holder. */
export interface Region {
  /** ISO 3166, two letters. Undefined when no country has the number: satellites, international services, unassigned codes. */
  readonly country: string | undefined;
  /** IANA names, at least one; quiet hours take the strictest. */
  readonly timeZones: readonly string[];
}

/** Countries that CLDR has no zones of. */
const unlisted: Readonly<Record<string, string>> = {
  AC: 'Atlantic/St_Helena',
  TA: 'Atlantic/St_Helena',
  XK: 'Europe/Belgrade',
};

/**
 * States of the USA that are far from all others, by their only area codes (North American Numbering Plan, both since 1957). A number of
 * another area code is taken not to be there, and the other way round: else a day from 08:00 to 21:00 would leave 7 hours for all of the
 * country, instead of 10.
 */
const remote: Readonly<Record<string, readonly string[]>> = {
  '+1808': ['Pacific/Honolulu'],
  '+1907': [
    'America/Adak',
    'America/Anchorage',
    'America/Juneau',
    'America/Metlakatla',
    'America/Nome',
    'America/Sitka',
    'America/Yakutat',
  ],
};
const remoteZones = new Set(Object.values(remote).flat());

/** The time of an unknown place. */
const nowhere = 'Etc/UTC';

const zonesOf = (country: string): readonly string[] => {
  const known = new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
  const near = known.filter((zone) => !remoteZones.has(zone));
  return near.length > 0 ? near : [unlisted[country] ?? nowhere];
};

/**
 * The country of a phone number in E.164 form with its `+`, and the time zones it can be in: all of the country's, since most numbers do not
 * say more. A number that fits no country's plan counts as the main country's of its calling code; one without any is taken to be on UTC.
 */
export const regionOf = (phone: string): Region => {
  const number = parsePhoneNumber(phone);
  const country = number && (number.country ?? numbering.country_calling_codes[number.countryCallingCode]?.[0]);
  return { country, timeZones: remote[phone.slice(0, 5)] ?? (country ? zonesOf(country) : [nowhere]) };
};
