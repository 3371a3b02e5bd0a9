import { isValidPhoneNumber } from 'libphonenumber-js/min';
import * as z from 'zod';
import { emailAddress, emailPattern } from './email-address.ts';
import { type Channel, textChannels } from './message.ts';

/** Of phone numbers, in the regex syntax common to JSON Schema validators. */
export const phonePattern = '^(\\+[1-9][0-9]{6,14}|[1-9][0-9]{7,14})$';
const phoneShape = new RegExp(phonePattern);

/** What a provider or our own table calls a phone, with or without the `+`: E.164 with its `+`, or undefined. A STOP is never lost because of the form of its number. */
export const knownPhone = (text: string): string | undefined =>
  /^\+?[1-9]\d{6,14}$/.test(text) ? `+${text.replace('+', '')}` : undefined;

/**
 * A number that a caller sends, in E.164 form with its `+`, or undefined. Without the `+` it must have 8 digits or more and be a valid
 * international number as it stands: read as one, a national form such as `1712345678` would reach a stranger.
 */
export const phoneNumber = (text: string): string | undefined => {
  const number = phoneShape.test(text) ? knownPhone(text) : undefined;
  return number !== undefined && (text.startsWith('+') || isValidPhoneNumber(number)) ? number : undefined;
};

/** The recipient of a message. */
export interface Recipient {
  /** The provider's delivery address. */
  readonly address: string;
  /** The address that finds or creates the contact: an email as sent, a phone in E.164. */
  readonly contact: { readonly email: string } | { readonly phone: string };
}

/** The channels that messages to an address can be of. */
export const channelsTo = (address: Recipient['contact']): readonly Channel[] =>
  'email' in address ? ['email'] : textChannels;

/** An address that a list is asked for: a whole email, or a whole phone with or without its `+`. A `+` that a URL turned into a space counts. */
export const addressIn = (text: string): Recipient['contact'] | undefined => {
  const address = text.replaceAll(' ', '+');
  const phone = knownPhone(address);
  if (phone !== undefined) return { phone };
  return emailAddress(address) === undefined ? undefined : { email: address };
};

/** A whole email address or phone number in a query string or path. */
export const addressText = z
  .string()
  .transform((text, context) => {
    const address = addressIn(text);
    if (address) return address;
    context.addIssue('must be an email address or a phone number in E.164 format');
    return z.NEVER;
  })
  .meta({ examples: ['ada@example.com'], pattern: `(${emailPattern})|(${phonePattern})` });

/** For error messages. */
export const phoneKind =
  'a phone number in E.164 format, with + and its country code, 7 to 15 digits, for example +8801700000000';

/** The error message for `to`. */
export const addressKinds: Readonly<Record<Channel, string>> = {
  email: 'an email address',
  sms: phoneKind,
  whatsapp: phoneKind,
};

/** The recipient of a message of this channel, or undefined when `to` is not an address of it. */
export const recipientOf = (channel: Channel, to: string): Recipient | undefined => {
  const address = channel === 'email' ? emailAddress(to) : phoneNumber(to);
  return address === undefined
    ? undefined
    : { address, contact: channel === 'email' ? { email: to } : { phone: address } };
};
