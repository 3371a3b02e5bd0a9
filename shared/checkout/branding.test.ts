import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrastOf, inkOn } from './branding.ts';
import { imageTypeOf } from './logo.ts';

it('the text on any colour has a contrast of 4.5 at least', () => {
  const part = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'));
  fc.assert(
    fc.property(part, part, part, (red, green, blue) => {
      const color = `#${red}${green}${blue}`;
      expect(contrastOf(color, inkOn(color))).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

it('contrasts are those of WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

it('a PNG, JPEG or WebP is known by its first bytes, and nothing else is an image', () => {
  const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WEBPVP8 ')]);
  expect(imageTypeOf(Buffer.from('89504e470d0a1a0a0000', 'hex'))).toBe('image/png');
  expect(imageTypeOf(Buffer.from('ffd8ffe000104a46', 'hex'))).toBe('image/jpeg');
  expect(imageTypeOf(webp)).toBe('image/webp');
  for (const text of [
    '',
    'GIF89a',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<?xml version="1.0"?><svg/>',
    'RIFF1234WAVE',
  ])
    expect(imageTypeOf(Buffer.from(text))).toBeUndefined();
});
