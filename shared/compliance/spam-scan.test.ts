import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import type { Content } from '../messages/content.ts';
import { spamRules, spamThreshold } from './spam-rules.ts';
import { spamIn } from './spam-scan.ts';

const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

const content = (some: Partial<Content>): Content => ({
  subject: undefined,
  html: undefined,
  text: undefined,
  ...some,
});

/** Each character as a reference. */
const referenced = (text: string): string => [...text].map((one) => `&#${one.codePointAt(0)};`).join('');

const honest: readonly (readonly [string, Partial<Content>])[] = [
  [
    'a one-time code',
    { text: '482913 is your Acme code. It expires in 10 minutes. Never share it, not even with us.' },
  ],
  ['a one-time code in Bangla', { text: 'আপনার ওটিপি ৪৮২৯১৩। ৫ মিনিটের মধ্যে ব্যবহার করুন। কাউকে জানাবেন না।' }],
  [
    'a receipt',
    {
      subject: 'Your receipt from Acme [#1532-8817]',
      html: '<h1>Receipt</h1><table><tr><td>Pro plan</td><td>$29.00</td></tr></table><p>Paid with Visa 4242</p>',
      text: 'Pro plan $29.00. Paid with Visa 4242.',
    },
  ],
  [
    'an order with structured data for mail programs',
    {
      subject: 'Order 1042 is on its way!',
      html: '<script type="application/ld+json">{"@type":"Order"}</script><p>Arrives <b>Friday</b>. <a href="https://t.example.com/1042">Track</a></p>',
    },
  ],
  [
    'a password reset',
    {
      subject: 'Reset your password',
      text: 'Somebody asked to reset your password. If it was you: https://app.example.com/reset?token=3f9. If not, ignore this.',
    },
  ],
  [
    'a newsletter with many links',
    {
      subject: '🔥 BLACK FRIDAY: 70% OFF everything!!!',
      html: `<style>a{color:red}</style>${'<p><a href="https://c.example.com/k?u=1&c=2"><img src="https://cdn.example.com/1.png"></a> Save $1,200 today, you have won free shipping!</p>'.repeat(200)}<a href="https://example.com/unsubscribe">Unsubscribe</a>`,
    },
  ],
  [
    'a dunning letter',
    { subject: 'Payment failed', text: 'Update your card, or your account will be suspended on 1 December.' },
  ],
  [
    'news of a round of funding',
    { subject: 'Acme raises $120 million', text: 'Series C of $120 million dollars, led by Example.' },
  ],
  [
    'an insurer’s form',
    { subject: 'Your policy', text: 'Please name your next of kin. This letter is strictly confidential.' },
  ],
  [
    'a pharmacy’s refill',
    { subject: 'Refill ready', text: 'Your sildenafil (Viagra) 50 mg is ready at the counter. Bring your ID.' },
  ],
  [
    'an exchange’s notice',
    { subject: 'Deposit received', text: '0.015 BTC arrived in your BTC wallet. Balance: 0.8 BTC.' },
  ],
  [
    'a bank’s warning of fraud',
    {
      subject: 'How to know a scam',
      text: 'We never ask for your PIN. Letters that name you lottery winner, or next of kin of a stranger, are fraud.',
    },
  ],
  ['a monitor’s alarm', { subject: 'DOWN!! API LATENCY', text: 'http://10.0.3.17:9090/alerts is firing. p99 4.2 s.' }],
  [
    'a statement in Bangla',
    {
      subject: 'আপনার বিল',
      html: '<p>প্রিয় গ্রাহক, আপনার বিল ৳১,২৫০.০০। <a href="https://example.com/bill">পরিশোধ করুন</a></p>',
    },
  ],
  ['a delivery text', { text: 'Sundarban Courier: parcel SB-99812 arrives today 2-4 pm. Cash on delivery Tk 1,450.' }],
  [
    'a reply from support',
    {
      subject: 'Re: Ticket 5512',
      text: '> it does not work!!\n> HELP\n\nSorry about that, fixed now. Kind regards, Ada',
    },
  ],
];

const fraud: readonly (readonly [string, Partial<Content>])[] = [
  [
    'an advance fee',
    {
      subject: 'Reply urgently',
      text: 'I am the next of kin of a late client and need your help with $10.5 million. Keep this strictly   confidential.',
    },
  ],
  [
    'an advance fee between tags',
    {
      html: '<p>The inheritance <b>fund</b> of 4 million us<br>dollars waits. Handle with utmost <i>confidentiality</i>.</p>',
    },
  ],
  [
    'blackmail',
    {
      subject: 'I RECORDED YOU!!',
      text: 'I have access to your webcam. Send bitcoin to the address below within 48 hours.',
    },
  ],
  [
    'an advance fee in the HTML of an editor',
    {
      html: `<p>The&nbsp;inheritance&nbsp;fund of 4&nbsp;million&nbsp;us dollars waits. Handle with ${[...'utmost'].join('<b></b>')} ${[...'confidentiality'].join('\u00AD')}.</p>`,
    },
  ],
  [
    'a page for passwords in other words',
    {
      html: `<a href="http://203.0.113.9/login"></a><input name=p\n type\n=\n"${referenced('password')}"><a href="${referenced('javascript')}:go()">Log in</a>`,
    },
  ],
  [
    'a page for passwords',
    {
      html: '<form action="http://203.0.113.9/login"><input name=p type="password"></form><a href="javascript:go()">Log in</a>',
    },
  ],
];

describe('spam scan', () => {
  it.each(['subject', 'html', 'text'] as const)('finds the test string in the %s', (field) => {
    expect(spamIn(content({ text: 'Hello', [field]: `before ${gtube} after` }))).toEqual({ rule: 'gtube' });
  });

  it('finds the test string in a comment of the html', () => {
    expect(spamIn(content({ html: `<p>Hello</p><!-- ${gtube} -->` }))?.rule).toBe('gtube');
  });

  it.each(honest)('lets %s through', (_, some) => {
    expect(spamIn(content(some))).toBeUndefined();
  });

  it.each(fraud)('stops %s', (_, some) => {
    expect(spamIn(content(some))).toBeDefined();
  });

  it('refuses no message for one sign or for two', () => {
    const [most = 0, next = 0] = spamRules
      .filter(({ name }) => name !== 'gtube')
      .map(({ score }) => score)
      .toSorted((a, b) => b - a);
    expect(most + next).toBeLessThan(spamThreshold);
  });

  it('finds the test string at any position, and nothing without it', () => {
    const harmless = fc.array(fc.constantFrom(...honest.map(([, { text = '' }]) => text)), { maxLength: 3 });
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (before, after) => {
        expect(spamIn(content({ html: before, text: after }))).toBeUndefined();
        expect(spamIn(content({ text: before + gtube + after }))?.rule).toBe('gtube');
      }),
    );
    fc.assert(
      fc.property(harmless, ([before = '', after = '']) => {
        expect(spamIn(content({ text: before + gtube + after }))?.rule).toBe('gtube');
      }),
    );
  });

  it.each([
    '<',
    '<!--',
    '<!-->',
    '<b ',
    '&',
    '&#',
    '&#1',
    '\u00AD',
    '\u0301\u0323',
    `${'\u0301'.repeat(50_000)}${'\u0323'.repeat(50_000)}`,
    `${'\u0316'.repeat(25_000)}${'\uFF9E'.repeat(25_000)}`,
    '\u0316\uFF9E',
    '\uFDFA',
    '<a ',
    '<input ',
    'href=',
    ' ',
    'a',
    '1',
    '$1.',
    '1.1.',
    'http://1',
    '<input type',
    'million',
    '!!',
    'জ',
  ])('scans half a megabyte of %j in linear time', (piece) => {
    // Quadratic time would exceed the time limit of the test.
    const long = piece.repeat(500_000 / piece.length);
    expect(spamIn(content({ html: long, text: long }))).toBeUndefined();
  });

  it('scans megabytes of ordinary content in linear time', () => {
    const paragraph =
      '<p>Your order <b>1042</b> of $29.00 is on its way: <a href="https://example.com/1042">track it</a>.</p>\n';
    expect(spamIn(content({ html: paragraph.repeat(25_000) }))).toBeUndefined();
  });
});
