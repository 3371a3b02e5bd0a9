export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

/** An image that pages may show. */
export interface Logo {
  readonly type: ImageType;
  readonly bytes: Uint8Array;
}

export const mostLogoBytes = 200 * 1_024;

const beginnings: readonly (readonly [type: ImageType, pattern: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  // RIFF, four bytes of length, WEBP.
  ['image/webp', /^52494646.{8}57454250/],
];

/** By its first bytes, regardless of what its sender calls it. Undefined: none of these, for example an SVG, which can have scripts. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | undefined => {
  const beginning = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  return beginnings.find(([, pattern]) => pattern.test(beginning))?.[0];
};
