/** The text of an amount in minor units, as a field takes it: 2550 is `25.50`. */
export const amountText = (minor: number): string =>
  `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;

/** An amount in minor units, with its currency. A gateway may report a word that is no code of a currency: it stays as it is. */
export const money = (minor: number, currency: string): string =>
  /^[a-z]{3}$/i.test(currency)
    ? new Intl.NumberFormat(currency === 'BDT' ? 'en-IN' : 'en', {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
      }).format(minor / 100)
    : `${amountText(minor)} ${currency}`.trim();

/** Digits, or groups of them as English and Bangla write them; a decimal comma is neither. */
const typed = /^(\d{1,10}|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.(\d{1,2}))?$/;

/** Bangla digits as the Latin ones that they stand for. */
export const inLatin = (text: string): string => text.replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - 0x9e6));

/** The minor units of a typed amount such as `1,250.5`. Undefined where it is none; never rounded. */
export const minorIn = (text: string): number | undefined => {
  const [, whole, part = ''] = typed.exec(inLatin(text).replace(/\s/g, '')) ?? [];
  return whole === undefined ? undefined : Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
};
