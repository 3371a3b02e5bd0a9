import { describe, expect, it } from 'vitest';
import { languages } from '../../kit/language.ts';
import { secondsToNextCheck } from './progress.ts';
import { sale, screens } from './screens-fixture.ts';
import { style, stylePath, styleWith } from './style.ts';
import { texts } from './texts.ts';

const hostile = `"><script>alert('1')</script>&{merchant}`;

const brandedLink = `<link rel="stylesheet" href="${stylePath('#ffcc00').replace('&', '&amp;')}">`;

describe.each(Object.entries(screens))('the screen %s', (_, draw) => {
  it.each(languages)('in %s is a whole page that loads our style sheet alone, and runs nothing', (language) => {
    const page = draw(language);
    expect(page).toMatch(new RegExp(`^<!doctype html>\n<html lang="${language}" dir="ltr">`));
    expect(page.match(/<(h1|main|header|footer)[ >]/g)).toEqual(['<header>', '<main>', '<h1>', '<footer>']);
    const [link, ...others] = page.match(/<link [^>]+>/g) ?? [];
    expect([`<link rel="stylesheet" href="${stylePath(null)}">`, brandedLink]).toContain(link);
    expect(others).toEqual([]);
    expect(page.replace(/<img src="\/checkout\/logos\/[0-9a-f]{32}" alt="">/, '')).not.toMatch(
      /<script|<img|<iframe|<style|<meta http-equiv|\ssrc=|\son\w+=|\sstyle=/,
    );
    expect(page).not.toMatch(/undefined|\[object|\{\w+\}/);
  });

  it('escapes whatever a merchant writes', () => {
    const page = draw('en', {
      ...sale,
      merchant: hostile,
      description: hostile,
      cancelUrl: hostile,
      successUrl: hostile,
      lineItems: [{ name: hostile, quantity: 1, unitAmountMinor: 600_000 }],
      branding: { logoId: null, color: null, supportEmail: hostile, supportPhone: hostile, statementName: hostile },
    });
    expect(page).not.toMatch(/<script|"">|alert\('/);
  });
});

it('a page shows as many items as fit 14 KB with its style sheet, and how many more there are, which together are the amount', () => {
  const name = '&'.repeat(255);
  const page = (count: number) => {
    const lineItems = Array.from({ length: count }, () => ({ name, quantity: 2, unitAmountMinor: 100 }));
    return screens['declined']?.('bn', { ...sale, lineItems, amountMinor: count * 200 }) ?? '';
  };
  expect(page(1)).not.toContain('এবং আরও');
  expect(page(100).match(/২ × /g)).toHaveLength(2);
  expect(page(100)).toContain('<dt>এবং আরও ৯৮টি</dt><dd>৳১৯৬.০০</dd>');
  expect(Buffer.byteLength(page(100) + styleWith('#ffcc00'))).toBeLessThan(14_336 - 1_500);
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
    /Dhaka Books[\s\S]*<h1>Pay Dhaka Books<\/h1>[\s\S]*৳6,000\.00[\s\S]*Order 1042/,
  );
  expect(screens['choice']?.('bn')).toContain('৳৬,০০০.০০');
});

it('keeps a merchant’s words from turning round what stands beside them', () => {
  for (const name of ['choice', 'paid-now', 'held'])
    expect(screens[name]?.('en')).toContain('<bdi>Order 1042: three novels and a lamp</bdi>');
});

it('says in test mode, and only there, that no money moves', () => {
  expect(screens['choice']?.('en')).toContain('Test mode: no money moves');
  expect(screens['choice-bare']?.('en')).not.toContain('Test mode');
});

it('has a style sheet without anything foreign, and of less than 6 kB', () => {
  expect(style).not.toMatch(/url\(|@import|@font-face/);
  expect(Buffer.byteLength(style)).toBeLessThan(6_000);
});

it('looks again after 2 s at first, then less and less often', () => {
  const waits = [0, 19_999, 20_000, 119_999, 120_000, 899_999, 900_000, 86_400_000].map(secondsToNextCheck);
  expect(waits).toEqual([2, 2, 5, 5, 15, 15, 60, 60]);
});
