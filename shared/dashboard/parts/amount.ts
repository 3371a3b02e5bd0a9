/** The text of an amount in minor units, as a field takes it: 2550 is `25.50`. */
export const amountText = (minor: number): string =>
  `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;

/** The minor units of a typed amount such as `1,250.5`. Undefined where it is none; never rounded. */
export const minorIn = (text: string): number | undefined => {
  const [, whole, part = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text.replace(/[,\s]/g, '')) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'));
};
