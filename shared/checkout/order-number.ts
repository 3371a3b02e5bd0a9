import { isId } from '../kit/id.ts';

/** Digits that 128 bits take in base 36. */
const length = 25;

/**
 * A payment's or refund's id as sent to gateways: 25 characters, because SSLCommerz accepts 30, and in lower case, because
 * a gateway may be case-insensitive.
 */
export const orderNumberOf = (id: string): string =>
  BigInt(`0x${id.replaceAll('-', '')}`)
    .toString(36)
    .padStart(length, '0');

/** The id in an order number; undefined for anything that is none of ours. */
export const idOfOrderNumber = (text: string): string | undefined => {
  if (!/^[0-9a-z]{25}$/.test(text)) return undefined;
  const value = Array.from(text).reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  const id = value
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isId(id) ? id : undefined;
};
