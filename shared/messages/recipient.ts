import { domainToASCII } from 'node:url';
import { Fault } from '../kit/fault.ts';
import type { Channel } from './message.ts';

const longestRecipient = 320;
const localPart = /^(?!\.)(?!.*\.\.)(?!.*\.$)[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/i;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * An email address in the form that it is delivered to, or undefined. Local parts are ASCII without quotes, which is what SES takes;
 * a domain may be in any script and becomes its ASCII form.
 */
export const emailAddress = (text: string): string | undefined => {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (at < 1 || text.length > longestRecipient || !localPart.test(local) || /[^\p{L}\p{M}\p{N}.-]/u.test(domain))
    return undefined;
  const ascii = domainToASCII(domain);
  const labels = ascii.split('.');
  const isDomain =
    ascii.length <= 253 &&
    labels.length > 1 &&
    labels.every((part) => label.test(part)) &&
    !/^\d+$/.test(labels.at(-1) ?? '');
  return isDomain ? `${local}@${ascii}` : undefined;
};

/** A number in E.164 form with its `+`, or undefined. The specification takes 7 to 15 digits, with or without the `+`. */
export const phoneNumber = (text: string): string | undefined =>
  /^\+?[1-9]\d{6,14}$/.test(text) ? `+${text.replace('+', '')}` : undefined;

/**
 * Where a message of this channel goes.
 * @throws Fault `invalid_recipient`
 */
export const recipientOf = (channel: Channel, to: string): string => {
  const recipient = channel === 'email' ? emailAddress(to) : phoneNumber(to);
  if (recipient !== undefined) return recipient;
  throw new Fault(
    'invalid_recipient',
    channel === 'email' ? 'to: must be an email address' : 'to: must be a phone number in E.164 form, 7 to 15 digits',
  );
};
