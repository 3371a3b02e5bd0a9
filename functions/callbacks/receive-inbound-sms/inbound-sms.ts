import { isValidPhoneNumber, parsePhoneNumberFromString as parseAny } from 'libphonenumber-js/min';
import { isSupportedCountry, parsePhoneNumberFromString as parseMobile } from 'libphonenumber-js/mobile';
import type { InboundPointers } from '../../../shared/accounts/provider-settings.ts';
import { keywordIn } from '../../../shared/compliance/keywords.ts';
import { digestOf } from '../../../shared/kit/digest.ts';
import { textAt } from '../../../shared/kit/json-pointer.ts';
import { knownPhone } from '../../../shared/messages/recipient.ts';

/** A gateway that gives no id repeats a message within this time, if at all. */
const repeatSeconds = 60;

/**
 * A number as it is dialled in this country, or a whole one. First those of mobiles: among all kinds of numbers, many whole ones of other countries
 * look like a landline of this one.
 */
const readIn = (country: string, text: string, whole: string | undefined): string | undefined => {
  if (!isSupportedCountry(country)) return undefined;
  const dialled = (parse: typeof parseMobile): string | undefined => {
    const number = parse(text, country);
    return number?.isValid() ? number.number : undefined;
  };
  const mobile = dialled(parseMobile);
  if (mobile !== undefined) return mobile;
  return whole !== undefined && isValidPhoneNumber(whole) ? whole : dialled(parseAny);
};

/** Gateways write an international number in groups too, as a `tel:` URI, and with 00 in place of the `+`. */
const senderIn = (written: string, country = ''): string | undefined => {
  const text = written.trim().replace(/^tel:/i, '');
  const whole = knownPhone(text.replaceAll(/[\s().-]/g, '').replace(/^00/, '+'));
  return readIn(country, text, whole) ?? whole;
};

/**
 * An inbound sms, read according to the account's settings; undefined without a sender's number or a text. Without an id from the gateway, the
 * same START of the same sender within a minute is one message: it was received before if one of the seconds of that minute was. But each STOP
 * counts, because the last one may follow a START.
 */
export const inboundSmsIn = (document: unknown, pointers: InboundPointers, nowMs: number) => {
  const from = senderIn(textAt(document, pointers.from) ?? '', pointers.country);
  const text = textAt(document, pointers.text);
  if (from === undefined || text === undefined) return undefined;
  const read = { channel: 'sms' as const, from, text, atMs: nowMs };
  const givenId = (pointers.id === undefined ? undefined : textAt(document, pointers.id)) || undefined;
  if (givenId !== undefined) return { ...read, id: digestOf(JSON.stringify([givenId])) };
  const idAt = (moment: number) => digestOf(JSON.stringify([from, text, moment]));
  if (keywordIn(text) !== 'start') return { ...read, id: idAt(nowMs) };
  const second = Math.floor(nowMs / 1_000);
  const earlierIds = Array.from({ length: repeatSeconds }, (_, n) => idAt(second - n - 1));
  return { ...read, id: idAt(second), earlierIds };
};
