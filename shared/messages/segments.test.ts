import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, it } from 'vitest';
import { segmentsOf } from './segments.ts';

const basic = '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./09:;<=>?¡ AZ ÄÖÑÜ §¿ az äöñüà';
const extension = '\f^{}\\[~]|€';
/** None of these joins its neighbours to one grapheme: the other calculator never divides those, while networks know characters only. */
const beyond = 'ç`êЖআক漢字“—😀🚀𝒳';

const text = (alphabet: string, maxLength: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength }).map((characters) => characters.join(''));

const segments = (message: string): number => segmentsOf(message).segments;

describe('segments', () => {
  it.each([
    ['GSM-7', 'a', 'gsm7', 160, 153],
    ['GSM-7 of two septets', '€', 'gsm7', 80, 76],
    ['UCS-2', 'ж', 'ucs2', 70, 67],
    ['Bangla', 'ক', 'ucs2', 70, 67],
    ['UCS-2 of two units', '😀', 'ucs2', 35, 33],
  ] as const)('take so many characters of %s', (_, character, encoding, alone, concatenated) => {
    expect(segmentsOf(character.repeat(alone))).toEqual({ encoding, segments: 1 });
    expect(segmentsOf(character.repeat(alone + 1))).toEqual({ encoding, segments: 2 });
    for (const count of [2, 3, 10]) {
      expect(segments(character.repeat(count * concatenated))).toBe(count);
      expect(segments(character.repeat(count * concatenated + 1))).toBe(count + 1);
    }
  });

  it('never divide an escape from what it escapes', () => {
    expect(segments(`${'a'.repeat(152)}€${'a'.repeat(151)}`)).toBe(2);
    expect(segments(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toBe(3);
  });

  it('never divide a surrogate pair', () => {
    expect(segments(`ж${'😀'.repeat(33)}${'ж'.repeat(67)}`)).toBe(2);
    expect(segments(`${'ж'.repeat(66)}😀${'ж'.repeat(65)}`)).toBe(2);
    expect(segments(`${'ж'.repeat(66)}😀${'ж'.repeat(66)}`)).toBe(3);
  });

  it('are all in UCS-2 because of one character that GSM-7 does not have, where the extension costs no more', () => {
    expect(segmentsOf(`${'€'.repeat(69)}ç`)).toEqual({ encoding: 'ucs2', segments: 1 });
    expect(segmentsOf('`')).toEqual({ encoding: 'ucs2', segments: 1 });
    expect(segmentsOf('\u001b')).toEqual({ encoding: 'ucs2', segments: 1 });
  });

  it('take half a surrogate pair for a character, and an empty text for one segment', () => {
    expect(segmentsOf('\ud83d'.repeat(70))).toEqual({ encoding: 'ucs2', segments: 1 });
    expect(segmentsOf('')).toEqual({ encoding: 'gsm7', segments: 1 });
  });

  it('are as many as Twilio counts, of every text without joined characters', () => {
    const any = fc.oneof(
      text(basic, 400),
      text(basic + extension, 400),
      text(extension, 400),
      text(beyond, 200),
      text(basic + extension + beyond, 200),
    );
    fc.assert(
      fc.property(any, (message) => {
        const theirs = new SegmentedMessage(message);
        expect(segmentsOf(message)).toEqual({
          encoding: theirs.encodingName === 'GSM-7' ? 'gsm7' : 'ucs2',
          segments: theirs.segmentsCount,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('are never more than Twilio counts, whose segments end before a joined character', () => {
    const joined = fc.array(fc.constantFrom('a', '👨‍👩‍👧', 'বাংলা', 'é', '🇧🇩', 'ж'), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(joined, (parts) => {
        const message = parts.join('');
        expect(segments(message)).toBeLessThanOrEqual(new SegmentedMessage(message).segmentsCount);
      }),
      { numRuns: 100 },
    );
  });

  it('have place for the whole text and grow with it', () => {
    fc.assert(
      fc.property(text(basic + extension + beyond, 500), text(basic + extension, 20), (message, more) => {
        const { encoding, segments } = segmentsOf(message);
        const each = encoding === 'gsm7' ? 160 : 70;
        expect([...message].length).toBeLessThanOrEqual(segments * each);
        expect(segmentsOf(message + more).segments).toBeGreaterThanOrEqual(segments);
      }),
    );
  });
});
