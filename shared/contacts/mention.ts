import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { JsonText } from '../kit/json-text.ts';
import { patternOf } from '../kit/pattern-of.ts';
import type { Recipient } from '../messages/recipient.ts';
import { foldEmail } from './search.ts';

/** Fewer digits could be a part of any other number. */
const fewestDigits = 9;

const emailPattern = (email: string): string => String.raw`(?<![\w.+-])${patternOf(email)}(?!\.?[\w-])`;

/** What may be between two digits of a number: `(202) 555-0123` has two at once. A form writes a space as `+`. */
const separators = String.raw`[\s().\/+\-\u2010-\u2015]{0,3}`;

const digitsIn = (text: string): string => text.replaceAll(/\D/g, '');

const grouped = (digits: string): string => [...digits].join(separators);

/** What begins a number with its country's code. A `+` within a word is a space of a form. */
const abroad = String.raw`(?<![0-9a-z])(?:\+|(?:00|011)${separators})`;

/** With its country's code or as it is dialled at home, grouped in any way; unless that, with what begins a number with its country's code, is the number of someone else. */
const phonePattern = (phone: string): string => {
  const atHome = digitsIn(parsePhoneNumberFromString(phone)?.formatNational() ?? phone);
  const isAnother = parsePhoneNumberFromString(`+${atHome}`)?.isValid() === true;
  const forms = [
    `(?:(?:00|011)${separators})?${grouped(digitsIn(phone))}`,
    ...(atHome.length < fewestDigits ? [] : [`${isAnother ? `(?<!${abroad})` : ''}${grouped(atHome)}`]),
  ];
  return `(?<![0-9a-z])(?:${forms.join('|')})(?![0-9a-z])`;
};

/** A text whose characters are percent-encoded, as in a URL. */
const decoded = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());

/** Whether a value has one of these addresses in its texts, its names included, whatever their form: as a provider, a file or a URL writes them. */
export const mentionOf = (addresses: readonly Recipient['contact'][]): ((value: unknown) => boolean) => {
  const patterns = addresses.flatMap((address) =>
    'email' in address
      ? [...new Set([foldEmail(address.email), address.email.toLowerCase()])].map(emailPattern)
      : [phonePattern(address.phone)],
  );
  const pattern = new RegExp(patterns.join('|'), 'i');
  const mentions = (value: unknown): boolean => {
    if (typeof value === 'string') return pattern.test(value) || pattern.test(decoded(value));
    if (value instanceof JsonText) return mentions(JSON.parse(value.text));
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(([name, inner]) => mentions(name) || mentions(inner));
  };
  return patterns.length === 0 ? () => false : mentions;
};
