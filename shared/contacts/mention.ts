import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { JsonText } from '../kit/json-text.ts';
import type { Recipient } from '../messages/recipient.ts';
import { foldEmail } from './search.ts';

/** Fewer digits could be a part of any other number. */
const fewestDigits = 9;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Also as URLs encode it. */
const emailPattern = (email: string): string => {
  const address = escaped(email).replace('@', '(?:@|%40)').replaceAll(String.raw`\+`, String.raw`(?:\+|%2b)`);
  return String.raw`(?<![\w.+-])${address}(?!\.?[\w-])`;
};

/** With its country's code or as it is dialled at home, grouped in any way. */
const phonePattern = (phone: string): string => {
  const forms = [phone, parsePhoneNumberFromString(phone)?.formatNational() ?? phone].map((text) =>
    text.replaceAll(/\D/g, ''),
  );
  const groups = [...new Set(forms)]
    .filter((digits, n) => n === 0 || digits.length >= fewestDigits)
    .map((digits) => [...digits].join('[ ().-]?'));
  return `(?<![0-9a-z])(?:${groups.join('|')})(?![0-9a-z])`;
};

/** Whether a value has one of these addresses in its texts, its names included, whatever their form: as a provider, a file or a URL writes them. */
export const mentionOf = (addresses: readonly Recipient['contact'][]): ((value: unknown) => boolean) => {
  const patterns = addresses.flatMap((address) =>
    'email' in address
      ? [...new Set([foldEmail(address.email), address.email.toLowerCase()])].map(emailPattern)
      : [phonePattern(address.phone)],
  );
  const pattern = new RegExp(patterns.join('|'), 'i');
  const mentions = (value: unknown): boolean => {
    if (typeof value === 'string') return pattern.test(value);
    if (value instanceof JsonText) return mentions(JSON.parse(value.text));
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(([name, inner]) => mentions(name) || mentions(inner));
  };
  return patterns.length === 0 ? () => false : mentions;
};
