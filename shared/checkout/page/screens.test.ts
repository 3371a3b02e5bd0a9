import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Language, languages } from '../../kit/language.ts';
import { secondsToNextCheck } from './progress.ts';
import { sale, screens } from './screens-fixture.ts';
import { script } from './script.ts';
import { style, stylePath, styleWith } from './style.ts';
import { speaker, texts } from './texts.ts';

const hostile = `"><script>alert('1')</script>&{merchant}`;

const ourScript = `<script>${script}</script>`;

const brandedLink = `<link rel="stylesheet" href="${stylePath('#ffcc00').replace('&', '&amp;')}">`;

describe.each(Object.entries(screens))('the screen %s', (_, draw) => {
  it.each(languages)('in %s is a whole page that loads our style sheet alone, and has our script', (language) => {
    const whole = draw(language);
    expect(whole).toContain(`${ourScript}\n</body>`);
    const page = whole.replace(ourScript, '');
    expect(page).toMatch(new RegExp(`^<!doctype html>\n<html lang="${language}" dir="ltr">`));
    expect(page.match(/<(h1|main|header|footer)(?=[ >])/g)).toEqual(['<header', '<main', '<h1', '<footer']);
    const [link, ...others] = page.match(/<link [^>]+>/g) ?? [];
    expect([`<link rel="stylesheet" href="${stylePath(null)}">`, brandedLink]).toContain(link);
    expect(others).toEqual([]);
    const ours =
      /<img src="\/checkout\/logos\/[0-9a-f]{32}" alt="">|<noscript><meta http-equiv="refresh" content="\d+"><\/noscript>/g;
    expect(page.replaceAll(ours, '')).not.toMatch(
      /<script|<img|<iframe|<style|<meta http-equiv|\ssrc=|\son\w+=|\sstyle=/,
    );
    expect(page).not.toMatch(/undefined|\[object|\{\w+\}/);
  });

  it('escapes what a merchant writes', () => {
    const page = draw('en', {
      ...sale,
      merchant: hostile,
      description: hostile,
      cancelUrl: hostile,
      successUrl: hostile,
      lineItems: [{ name: hostile, quantity: 1, unitAmountMinor: 600_000 }],
      invoiceId: hostile,
      branding: { logoId: null, color: null, supportEmail: hostile, supportPhone: hostile, statementName: hostile },
    });
    expect(page.replace(ourScript, '')).not.toMatch(/<script|(?<!alt=|href=)"">|alert\('/);
  });
});

/** Of two answers, about. */
const headerBytes = 1_400;

it('a page shows as many items as fit 14 KB with its style sheet, and how many more there are, which together are the amount', () => {
  const name = '&'.repeat(255);
  const page = (count: number) => {
    const lineItems = Array.from({ length: count }, () => ({ name, quantity: 2, unitAmountMinor: 100 }));
    return screens['declined']?.('bn', { ...sale, lineItems, amountMinor: count * 200 }) ?? '';
  };
  expect(page(1)).not.toContain('এবং আরও');
  expect(page(100).match(/২ × /g)).toHaveLength(2);
  expect(page(100)).toContain('<dt>এবং আরও ৯৮টি</dt><dd>৳১৯৬.০০</dd>');
  expect(Buffer.byteLength(page(100)) + gzipSync(styleWith('#ffcc00')).length).toBeLessThan(14_336 - headerBytes);
});

it('a page to pay on shows four of many items at once, and the rest behind a line with their number and sum', () => {
  const page = screens['choice-many-items']?.('en') ?? '';
  const [seen = '', folded = ''] = page.split('<details>');
  expect([seen.match(/1 × /g), folded.match(/1 × /g)]).toMatchObject([{ length: 4 }, { length: 8 }]);
  expect(folded).toContain('<summary><span>and 8 more</span> <span>৳4,000.00</span></summary>');
});

it('says everything in both languages, with the same values', () => {
  const valuesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const [name, { en, bn }] of Object.entries(texts)) {
    expect(valuesIn(bn), name).toEqual(valuesIn(en));
    const [english, bangla] = name === 'otherLanguage' ? [bn, en] : [en, bn];
    expect(english, name).toMatch(/^[\u0020-\u007e]+$/);
    expect(bangla, name).toMatch(/[\u0980-\u09ff]/);
  }
});

it('every screen shows the merchant, the amount and the description, in the reader’s digits', () => {
  expect(screens['choice']?.('en')).toMatch(
    /Dhaka Books[\s\S]*<h1>[\s\S]*Amount to pay[\s\S]*৳6,000\.00[\s\S]*<\/h1>[\s\S]*Order 1042/,
  );
  expect(screens['choice']?.('bn')).toContain('৳৬,০০০.০০');
});

it('keeps a merchant’s words from turning round what stands beside them', () => {
  for (const name of ['choice', 'paid-now', 'held'])
    expect(screens[name]?.('en')).toContain('<bdi>Order 1042: three novels and a lamp</bdi>');
});

it('keeps a name that runs from right to left from turning round the sentence that it stands in', () => {
  const [merchant, method] = ['مكتبة دكا (2)', 'بطاقة (2)'];
  const draw = (name: string) => screens[name]?.('en', { ...sale, merchant }) ?? '';
  expect(draw('expired')).toContain(`<bdi>${merchant}</bdi>`);
  expect(draw('expired')).toContain(`Return to \u2068${merchant}\u2069</a>`);
  expect(draw('choice')).toContain(`<title>Pay \u2068${merchant}\u2069</title>`);
  expect(screens['choice']?.('en')).not.toMatch(/[\u2068\u2069]/);
  expect(speaker('en')('unavailable', { method })).toBe(`\u2068${method}\u2069 cannot be reached`);
});

it('says the merchant’s name once before a payment', () => {
  for (const language of languages) {
    const body = screens['choice']?.(language).replace(/<head>[\s\S]*<\/head>/, '');
    expect(body?.match(/Dhaka Books/g)).toHaveLength(1);
  }
});

it('says until when the page is open in the last hour only, in words', () => {
  const at = (language: Language, minutes: number) =>
    screens['choice']?.(language, { ...sale, nowMs: sale.expiresMs - minutes * 60_000 }) ?? '';
  expect(at('en', 60)).toContain('until 6:00 pm, Bangladesh time');
  expect(at('bn', 60)).toContain('সন্ধ্যা ৬:০০ (বাংলাদেশ সময়) পর্যন্ত');
  expect(at('en', 61) + at('bn', 61)).not.toMatch(/until|পর্যন্ত/);
});

it('shows a cross for a cancelled payment, and a clock for one that took too long', () => {
  expect(screens['cancelled']?.('en')).toContain('class="icon cross"');
  expect(screens['timed-out']?.('en')).toContain('class="icon clock"');
});

it('offers to cancel a payment only after everything else', () => {
  for (const name of ['waiting', 'under-way', 'leaving'])
    expect(screens[name]?.('en')).toMatch(/class="action"[\s\S]*Cancel this payment[\s\S]*<\/main>/);
});

it('asks not to pay again while a payment is under review, and links to neither address of the shop', () => {
  for (const language of ['en', 'bn'] as const)
    expect(screens['held']?.(language)).not.toContain('https://shop.example');
  const held = screens['held']?.('en') ?? '';
  expect(held).toContain('Please do not pay again');
  expect(held).toContain('You can close this page');
  expect(held.toLowerCase()).not.toContain('cancel');
});

it('speaks no English on a page in Bangla but what the merchant wrote', () => {
  const written =
    /Dhaka Books|Order 1042: three novels and a lamp|Novel &lt;in&gt; three parts|Card|Mobile wallet|Bank account|sim_\w+|Visa|VISA|bKash|English|DHAKA BOOKS/g;
  for (const [name, draw] of Object.entries(screens)) {
    const shown = draw('bn')
      .replace(/<head>[\s\S]*<\/head>/, '')
      .replace(ourScript, '')
      .replaceAll(/<bdi class="id"[\s\S]*?<\/bdi>/g, '');
    const words = shown
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(written, '')
      .match(/[a-z]{3,}/gi);
    expect(words?.filter((word) => !/help|shop|example/.test(word)) ?? [], name).toEqual([]);
  }
});

it('says in test mode, and only there, that no money moves', () => {
  expect(screens['choice']?.('en')).toContain('Test mode: no money moves');
  expect(screens['choice-bare']?.('en')).not.toContain('Test mode');
});

it('has a style sheet without anything foreign', () => {
  expect(style).not.toMatch(/url\(|@import|@font-face/);
});

it('says how long it takes while that is true, and that the payer may leave once it takes longer', () => {
  expect(screens['waiting']?.('en')).toContain('less than a minute');
  const long = screens['waiting-long']?.('en');
  expect(long).toContain('You can close this page');
  expect(long).not.toContain('less than a minute');
});

it('looks again after 2 s at first, then less and less often', () => {
  const waits = [0, 19_999, 20_000, 119_999, 120_000, 899_999, 900_000, 86_400_000].map(secondsToNextCheck);
  expect(waits).toEqual([2, 2, 5, 5, 15, 15, 60, 60]);
});
