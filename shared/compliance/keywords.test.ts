import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keywordIn } from './keywords.ts';

const words = {
  // Twilio, AWS End User Messaging and Telnyx, by their own spelling.
  stop: [
    ...['STOP', 'UNSUBSCRIBE', 'END', 'QUIT', 'STOPALL', 'REVOKE', 'OPTOUT', 'CANCEL'],
    ...['ARRET', 'OPT-OUT', 'REMOVE', 'TD', 'STOP ALL'],
  ],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
} as const;

const keywords = Object.entries(words).flatMap(([meaning, all]) => all.map((word) => [word, meaning] as const));

describe('keywords', () => {
  it.each(keywords)('%s means %s', (word, meaning) => {
    expect(keywordIn(word)).toBe(meaning);
  });

  it.each([
    ['  Stop\n', 'stop'],
    ['stop all', 'stop'],
    ['STOP   ALL', 'stop'],
    ['Stop!', 'stop'],
    ['"STOP."', 'stop'],
    ['¡STOP!', 'stop'],
    ['STOP 🛑', 'stop'],
    ['ARRÊT', 'stop'],
    ['arre\u0302t', 'stop'],
    ['opt out', 'stop'],
    ['Stop promotions', 'stop'],
    ['ＳＴＯＰ', 'stop'],
    ['(yes)', 'start'],
    ['Help?', 'help'],
  ] as const)('%j means %s', (text, meaning) => {
    expect(keywordIn(text)).toBe(meaning);
  });

  it.each([
    '',
    '   ',
    '!!!',
    'please stop',
    'stop it',
    'don’t stop',
    'stopping',
    'yesterday',
    'yes please',
    'S T O P',
    'stop start',
    'বন্ধ',
    'constructor',
  ])('%j means nothing', (text) => {
    expect(keywordIn(text)).toBeUndefined();
  });

  it('are found in any case, with spaces and punctuation around them', () => {
    const around = fc.array(fc.constantFrom(...' \n\t.,!?"\'()*-…«»'), { maxLength: 10 }).map((all) => all.join(''));
    const spelled = fc.constantFrom(...keywords).chain(([word, meaning]) => {
      const letters = [...word].map((letter) => fc.constantFrom(letter, letter.toLowerCase()));
      return fc.record({ word: fc.tuple(...letters).map((drawn) => drawn.join('')), meaning: fc.constant(meaning) });
    });
    fc.assert(
      fc.property(spelled, around, around, ({ word, meaning }, before, after) => {
        expect(keywordIn(before + word + after)).toBe(meaning);
      }),
    );
  });

  it('are found in a text that is filled up with spaces or line breaks', () => {
    expect(keywordIn(`STOP${' '.repeat(156)}`)).toBe('stop');
    expect(keywordIn(`${'\r\n'.repeat(80)}Stop.${'\r\n'.repeat(80)}`)).toBe('stop');
    expect(keywordIn(`STOP${' '.repeat(5_000_000)}`)).toBeUndefined();
  });

  it('are never found in a longer sentence', () => {
    const more = fc.stringMatching(/^[a-z]{1,12}$/).filter((word) => word !== 'all');
    fc.assert(
      fc.property(fc.constantFrom(...keywords), more, ([word], other) => {
        expect(keywordIn(`${word} ${other}`)).toBeUndefined();
        expect(keywordIn(`x${other} ${word}`)).toBeUndefined();
      }),
    );
  });

  it('are searched quickly in a text of any size', () => {
    expect(keywordIn(`stop${'!'.repeat(5_000_000)}x`)).toBeUndefined();
  });
});
