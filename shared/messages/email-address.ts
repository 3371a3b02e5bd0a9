import { domainToASCII } from 'node:url';

/** RFC 5321, section 4.5.3.1: 64 characters, the `@`, and a domain of 255. */
export const longestRecipient = 320;
const longestDomain = 255;
const longestLocalPart = 64;
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";

/** Of email addresses, in the regex syntax common to JSON Schema validators. */
export const emailPattern = `^${atom}(\\.${atom})*@[^@ \\t\\r\\n]+\\.[^@ \\t\\r\\n]+$`;
const emailShape = new RegExp(emailPattern);

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

/** For error messages: other services take a name beside the address. */
export const emailKind = (text: string): string =>
  text.includes('<') ? 'an email address alone, without a name' : 'an email address';

/** What a schema says of a text that is no email address. */
export const notAnEmail = {
  error: ({ input }: { readonly input?: unknown }): string => `must be ${emailKind(String(input))}`,
};
