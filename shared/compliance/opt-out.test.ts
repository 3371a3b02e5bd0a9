import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { iso } from '../kit/time.ts';
import { textChannels } from '../messages/message.ts';
import { type ConsentEntry, consentChannels, consentSpeakers } from './consent.ts';
import { isOptedOut, type OptOut, optOutAfter } from './opt-out.ts';

type Words = readonly [ConsentEntry['by'], 'STOP' | 'START', ConsentEntry['channel'], number];

const entry = ([by, word, channel, atMs]: Words): ConsentEntry => ({
  id: `${by} ${word} ${channel} ${atMs}`,
  channel,
  status: word === 'STOP' ? 'withdrawn' : 'active',
  source: 'x',
  text: null,
  by,
  at: iso(atMs),
});

const heardOf = (words: readonly Words[]): OptOut => words.map(entry).reduce(optOutAfter, {});
const outOn = (optOut: OptOut) => textChannels.filter((channel) => isOptedOut(optOut, channel));

/** Few times, so that many entries share one. */
const words = fc.array(
  fc.tuple(
    fc.constantFrom(...consentSpeakers),
    fc.constantFrom('STOP' as const, 'START' as const),
    fc.constantFrom(...consentChannels),
    fc.nat(5),
  ),
  { maxLength: 10 },
);

describe('the opt-out of a phone', () => {
  it.each<[string, Words[], string[]]>([
    ['nothing was ever said', [], []],
    ['its holder said STOP', [['recipient', 'STOP', 'sms', 1]], ['sms', 'whatsapp']],
    [
      'STOP, then START',
      [
        ['recipient', 'STOP', 'sms', 1],
        ['recipient', 'START', 'sms', 2],
      ],
      [],
    ],
    [
      'STOP and START at the same instant',
      [
        ['recipient', 'START', 'sms', 1],
        ['recipient', 'STOP', 'sms', 1],
      ],
      ['sms', 'whatsapp'],
    ],
    [
      'STOP here, then START there',
      [
        ['recipient', 'STOP', 'sms', 1],
        ['recipient', 'START', 'whatsapp', 2],
      ],
      ['sms'],
    ],
    ['an operator withdraws', [['operator', 'STOP', 'sms', 1]], ['sms']],
    [
      'STOP, then an operator has a new consent',
      [
        ['recipient', 'STOP', 'sms', 1],
        ['operator', 'START', 'sms', 2],
      ],
      ['whatsapp'],
    ],
    [
      'STOP, and an operator an older consent',
      [
        ['recipient', 'STOP', 'sms', 2],
        ['operator', 'START', 'sms', 1],
      ],
      ['sms', 'whatsapp'],
    ],
    [
      'STOP there, and an operator a consent of that instant here',
      [
        ['recipient', 'STOP', 'sms', 1],
        ['operator', 'START', 'whatsapp', 1],
      ],
      ['sms', 'whatsapp'],
    ],
    ['what was said of email', [['recipient', 'STOP', 'email', 1]], []],
    ['what the platform ended', [['platform', 'STOP', 'sms', 1]], []],
  ])('after %s', (_, said, expected) => {
    expect(outOn(heardOf(said))).toEqual(expected);
  });

  it('is the same in any order of arrival, with any repetition', () => {
    fc.assert(
      fc.property(words, fc.infiniteStream(fc.nat()), (said, order) => {
        const arriving = [...said, ...said.slice(0, 3)]
          .map((word) => ({ word, turn: order.next().value }))
          .sort((a, b) => a.turn - b.turn)
          .map(({ word }) => word);
        expect(heardOf(arriving)).toEqual(heardOf(said));
      }),
    );
  });

  it('remains after STOP, unless its holder or an operator adds a newer entry', () => {
    fc.assert(
      fc.property(words, fc.constantFrom(...textChannels), fc.nat(5), (said, channel, atMs) => {
        const older = said.filter(([, , , whenMs]) => whenMs <= atMs);
        expect(outOn(heardOf([...older, ['recipient', 'STOP', channel, atMs]]))).toEqual(textChannels);
      }),
    );
  });

  it('is unchanged by an entry without news', () => {
    const optOut = heardOf([['recipient', 'STOP', 'sms', 2]]);
    for (const old of [
      ['recipient', 'STOP', 'sms', 2],
      ['recipient', 'START', 'sms', 2],
      ['operator', 'START', 'sms', 1],
    ] as const) {
      expect(optOutAfter(optOut, entry(old))).toBe(optOut);
    }
  });

  it('does not affect email', () => {
    expect(isOptedOut(heardOf([['recipient', 'STOP', 'sms', 1]]), 'email')).toBe(false);
  });
});
