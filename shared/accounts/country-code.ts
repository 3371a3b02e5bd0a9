/** Two letters, as in ISO 3166. */
export const countryShape = /^[A-Z]{2}$/;
export const notACountry = 'must be an ISO 3166 country code';

/** Regions of CLDR that are groups of countries, or an unknown one. */
const others = new Set(['EU', 'EZ', 'UN', 'ZZ']);
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Whether a code of this shape is a country's. `Intl.Locale` replaces what people write for another code: `UK` by `GB`. */
export const isCountryCode = (code: string): boolean =>
  new Intl.Locale(`und-${code}`).region === code && names.of(code) !== undefined && !others.has(code);
