import { describe, expect, it } from 'vitest';
import { openSession, pendingPayment } from '../../../test/checkout-fixture.ts';
import { languages } from '../../kit/language.ts';
import { noBranding } from '../branding.ts';
import type { Payment } from '../payment.ts';
import { type Scene, sessionPage } from './session-page.ts';
import { texts } from './texts.ts';

const session = openSession('a');
const nowMs = session.expiresMs - 1;

const attempt = (parts: Partial<Payment>): Payment => ({ ...pendingPayment(session), ...parts });
const declined = attempt({ status: 'FAILED' });
const cancelled = attempt({ status: 'FAILED', mark: 'cancelled' });
const heldAfterEnd = attempt({ status: 'FAILED', mark: 'held' });
const timedOut = attempt({ status: 'EXPIRED' });
const surplus = attempt({ status: 'SUCCEEDED', mark: 'surplus' });

/** The text of a session's page in each language. */
const shown = (attempts: readonly Payment[], parts: Partial<Scene['session']> = {}): readonly string[] =>
  languages.map((language) =>
    sessionPage(language, {
      session: { ...session, paymentCount: attempts.length, ...parts },
      attempts,
      methods: [],
      merchant: 'Dhaka Books',
      branding: noBranding,
      nowMs,
    }),
  );

const money = ['notCharged', 'ifCharged', 'givesBack'] as const;

/** What both languages say about the money. */
const moneyIn = (pages: readonly string[]) =>
  money.filter((name) => languages.every((language, n) => pages[n]?.includes(texts[name][language])));

describe('too many attempts', () => {
  const ten = (...some: readonly Payment[]) =>
    shown([...some, ...Array.from({ length: 10 - some.length }, () => declined)]);

  it.each([
    ['that the payer has not been charged, where all were declined', [], 'notCharged'],
    ['that any money is refunded, where one was cancelled', [cancelled], 'ifCharged'],
    ['that any money is refunded, where one took too long', [timedOut], 'ifCharged'],
    ['that any money is refunded, where one ended and then reported money', [heldAfterEnd], 'ifCharged'],
    ['that the money is refunded, where one took some', [cancelled, surplus], 'givesBack'],
  ] as const)('the page says %s', (_, some, text) => {
    const pages = ten(...some);
    expect(pages[0]).toContain('Too many attempts');
    expect(moneyIn(pages)).toEqual([text]);
  });
});

it('the page of an expired session says that money is refunded where an attempt took some, and only there', () => {
  const expired = (...attempts: readonly Payment[]) => shown(attempts, { status: 'EXPIRED' });
  expect(expired(surplus)[0]).toContain('The time to pay has ended');
  expect(moneyIn(expired(declined, surplus, timedOut))).toEqual(['givesBack']);
  expect(moneyIn(expired(declined, timedOut))).toEqual([]);
});

it('a page without a way to pay says that the money that an attempt took is refunded', () => {
  expect(moneyIn(shown([surplus, declined]))).toEqual(['givesBack']);
  expect(moneyIn(shown([]))).toEqual([]);
});
