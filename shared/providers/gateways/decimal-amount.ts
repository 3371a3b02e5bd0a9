/** Minor units as gateways write amounts: 600000 as `6000.00`. Every currency that is taken so far has two digits behind the point. */
export const decimalOf = (amountMinor: number): string => {
  const digits = String(amountMinor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/**
 * The minor units in a gateway's decimal text: `10`, `10.5` and `10.500` are exact, digit by digit and never by way of a fraction.
 * Undefined for anything else: a sign, a thousands mark, a part of a minor unit.
 */
export const minorOf = (text: string): number | undefined => {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,20}))?$/.exec(text) ?? [];
  if (whole === undefined || /[^0]/.test(fraction.slice(2))) return undefined;
  return Number(`${whole}${fraction.slice(0, 2).padEnd(2, '0')}`);
};
