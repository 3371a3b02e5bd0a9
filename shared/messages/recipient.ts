import { domainToASCII } from 'node:url';
import { isValidPhoneNumber } from 'libphonenumber-js/min';
import * as z from 'zod';
import { type Channel, textChannels } from './message.ts';

/** RFC 5321, section 4.5.3.1: 64 characters, the `@`, and a domain of 255. */
export const longestRecipient = 320;
const longestDomain = 255;
const longestLocalPart = 64;
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";

/** Patterns of email addresses and phone numbers, in the regex syntax common to JSON Schema validators. */
export const emailPattern = `^${atom}(\\.${atom})*@[^@ \\t\\r\\n]+\\.[^@ \\t\\r\\n]+$`;
export const phonePattern = '^(\\+[1-9][0-9]{6,14}|[1-9][0-9]{7,14})$';
const emailShape = new RegExp(emailPattern);
const phoneShape = new RegExp(phonePattern);

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * An email address in the form that it is delivered to, or undefined. Local parts are ASCII without quotes, which is what SES takes;
 * a domain may be in any script and becomes its ASCII form.
 */
export const emailAddress = (text: string): string | undefined => {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  const isMailbox = text.length <= longestRecipient && at <= longestLocalPart && emailShape.test(text);
  if (!isMailbox || /[^\p{L}\p{M}\p{N}.-]/u.test(domain)) return undefined;
  const ascii = domainToASCII(domain);
  const labels = ascii.split('.');
  const isDomain =
    ascii.length <= longestDomain &&
    labels.length > 1 &&
    labels.every((part) => label.test(part)) &&
    !/^\d+$/.test(labels.at(-1) ?? '');
  return isDomain ? `${local}@${ascii}` : undefined;
};

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

/** For error messages: other services take a name beside the address. */
export const emailKind = (text: string): string =>
  text.includes('<') ? 'an email address alone, without a name' : 'an email address';

/** What a schema says of a text that is no email address. */
export const notAnEmail = {
  error: ({ input }: { readonly input?: unknown }): string => `must be ${emailKind(String(input))}`,
};

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
