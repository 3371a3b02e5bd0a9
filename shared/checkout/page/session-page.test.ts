import { describe, expect, it } from 'vitest';
import { openSession, pendingPayment } from '../../../test/checkout-fixture.ts';
import { languages } from '../../kit/language.ts';
import { noBranding } from '../branding.ts';
import type { AcceptanceMethod } from '../methods.ts';
import { type Payment, reportedBy } from '../payment.ts';
import { longestHoldMs } from '../session-status.ts';
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

const card: AcceptanceMethod = {
  id: 'm',
  gatewayCode: 'sim_card',
  displayLabel: 'Card',
  livemode: false,
  enabled: true,
  sortOrder: 0,
  credentials: {},
};

/** The text of a session's page in each language. */
const shown = (
  attempts: readonly Payment[],
  parts: Partial<Scene['session']> = {},
  methods: Scene['methods'] = [],
): readonly string[] =>
  languages.map((language) =>
    sessionPage(language, {
      session: { ...session, paymentCount: attempts.length, ...parts },
      attempts,
      methods,
      offered: methods,
      merchant: 'Dhaka Books',
      branding: noBranding,
      nowMs,
    }),
  );

const money = ['notCharged', 'ifCharged', 'mayCount', 'givesBack'] as const;

/** What both languages say about the money. */
const moneyIn = (pages: readonly string[]) =>
  money.filter((name) => languages.every((language, n) => pages[n]?.includes(texts[name][language])));

describe('too many attempts', () => {
  const ten = (...some: readonly Payment[]) =>
    shown([...some, ...Array.from({ length: 10 - some.length }, () => declined)]);

  it.each([
    ['that the payer has not been charged, where all were declined', [], 'notCharged'],
    ['that any money is refunded, where one was cancelled', [cancelled], 'ifCharged'],
    ['that any money counts or is refunded, where one took too long', [cancelled, timedOut], 'mayCount'],
    ['that any money is refunded, where one ended and then reported money', [heldAfterEnd], 'ifCharged'],
    ['that the money is refunded, where one took some', [cancelled, surplus], 'givesBack'],
  ] as const)('the page says %s', (_, some, text) => {
    const pages = ten(...some);
    expect(pages[0]).toContain('Too many attempts');
    expect(moneyIn(pages)).toEqual([text]);
  });
});

describe('the page of an expired session', () => {
  const expired = (...attempts: readonly Payment[]) => shown(attempts, { status: 'EXPIRED' });

  it('says what became of the money of its attempts', () => {
    expect(expired(surplus)[0]).toContain('This payment link has expired');
    expect(moneyIn(expired(declined, surplus, timedOut))).toEqual(['givesBack']);
    expect(moneyIn(expired(declined, timedOut))).toEqual(['mayCount']);
    expect(moneyIn(expired(declined, cancelled))).toEqual(['ifCharged']);
    expect(moneyIn(expired(declined))).toEqual(['notCharged']);
    expect(moneyIn(expired())).toEqual([]);
  });

  it('sends a payer whose money may still count to ask before they pay again, and all others for a new link', () => {
    const [may, mayNot] = [expired(declined, timedOut)[0] ?? '', expired(declined, cancelled)[0] ?? ''];
    expect(may).toContain('whether the payment was accepted before you pay again');
    expect(may).toContain('Check now');
    expect(may).not.toContain('Please ask');
    expect(mayNot).toMatch(/Please ask .+ for a new payment link/);
    expect(mayNot).not.toContain('Check now');
  });

  it('says that money may count where it was accepted after the session was read', () => {
    const late = attempt({ status: 'SUCCEEDED', mark: 'late' });
    expect(moneyIn(expired(declined, late))).toEqual(['mayCount']);
  });

  it('says that money may still count where the end of its payment is not written yet', () => {
    const live = attempt({});
    const pages = shown([live], { livePaymentId: live.id, expiresMs: nowMs - longestHoldMs });
    expect(pages[0]).toContain('This payment link has expired');
    expect(moneyIn(pages)).toEqual(['mayCount']);
  });
});

it('a payment that is being checked because its gateway calls it risky is not said to differ from what was asked', () => {
  const { amountMinor, currency } = session;
  const reported = reportedBy({ state: 'succeeded', amountMinor, currency, isRisky: true });
  const at = '2026-11-20T12:00:00.000Z';
  const held = attempt({ mark: 'held', lastAnswer: { state: 'succeeded', reported, at } });
  const [en, bn] = shown([held], { livePaymentId: held.id });
  expect(en).toContain('The payment with sim_card is under manual review. Please do not pay again');
  expect(en).not.toContain('match');
  // It may be that none was taken.
  expect(en).toContain('or any money that was taken is refunded');
  expect(bn).not.toContain('অমিল');
});

it('a page names the method of a payment as its payer saw it, also when the account has removed the method', () => {
  const paid = attempt({ status: 'SUCCEEDED', displayLabel: 'Card or wallet' });
  for (const page of shown([paid], { status: 'COMPLETED' }))
    expect(page).toContain('<dd><bdi>Card or wallet</bdi></dd>');
  const unnamed = { ...paid, displayLabel: undefined };
  for (const page of shown([unnamed], { status: 'COMPLETED' })) expect(page).toContain('<dd><bdi>sim_card</bdi></dd>');
});

it('a payment that its gateway refused to open was not declined: its payer has not been there', () => {
  const at = '2026-11-20T12:00:00.000Z';
  const refused = attempt({
    status: 'FAILED',
    gatewayCode: 'sslcommerz',
    displayLabel: 'Cards',
    lastAnswer: { state: 'failed', code: 'FAILED', reason: 'Invalid store id or password', at },
  });
  const opened = { ...refused, redirectUrl: 'https://gateway.example/pay' };
  const headings = (payment: Payment) =>
    ['Cards cannot be reached', 'The payment was declined'].filter((text) =>
      shown([payment], {}, [card])[0]?.includes(text),
    );
  expect([headings(refused), headings(opened)]).toEqual([['Cards cannot be reached'], ['The payment was declined']]);
});

it('a page without a way to pay says that the money that an attempt took is refunded', () => {
  expect(moneyIn(shown([surplus, declined]))).toEqual(['givesBack']);
  expect(moneyIn(shown([]))).toEqual([]);
});

it('the page after a declined attempt says what holds for every attempt before it too', () => {
  const after = (...some: readonly Payment[]) => moneyIn(shown([...some, declined], {}, [card]));
  expect([after(), after(cancelled), after(surplus)]).toEqual([['notCharged'], ['ifCharged'], ['givesBack']]);
  expect(after(cancelled, timedOut)).toEqual(['mayCount']);
});

it('the page after a declined attempt says that the payer has not been charged only where that is certain', () => {
  const claim = { token: 't', untilMs: nowMs };
  const after = (parts: Partial<Payment>) =>
    moneyIn(shown([attempt({ status: 'FAILED', redirectUrl: 'https://gateway.example/pay', ...parts })], {}, [card]));
  expect(after({ gatewayCode: 'sslcommerz' })).toEqual(['ifCharged']);
  expect(after({ gatewayCode: 'bkash', confirmationClaim: claim })).toEqual(['ifCharged']);
  expect(after({ gatewayCode: 'bkash' })).toEqual(['notCharged']);
  expect(after({ gatewayCode: 'sim_card' })).toEqual(['notCharged']);
});

it('the page of a paid session says that money of another attempt is refunded', () => {
  const paid = attempt({ status: 'SUCCEEDED' });
  const pages = shown([surplus, paid], { status: 'COMPLETED' }, [card]);
  for (const [n, language] of languages.entries()) expect(pages[n]).toContain(texts.givesMoreBack[language]);
  expect(shown([paid], { status: 'COMPLETED' }, [card])[0]).not.toContain(texts.givesMoreBack.en);
});

describe('a payment in progress', () => {
  const live = attempt({});
  const promise = 'cancel it to pay another way';
  const inProgress = (before: number, parts: Partial<Scene['session']> = {}, methods = [card]) => {
    const attempts = [...Array.from({ length: before }, () => declined), live];
    const [page = ''] = shown(attempts, { livePaymentId: live.id, ...parts }, methods);
    expect(page).toContain('A payment is in progress');
    return page;
  };

  it('can be cancelled to pay another way', () => {
    expect(inProgress(8)).toContain(promise);
  });

  const reported: Partial<Payment> = { gatewayCode: 'sslcommerz', redirectUrl: 'https://gateway.example/pay' };

  it.each([
    ['its confirmation is being made', { confirmationClaim: { token: 't', untilMs: nowMs } }],
    ['its gateway has just reported it paid', { reportedPaidMs: nowMs - 59_999 }],
  ])('cannot be cancelled where %s, so the page offers only to go on, and says not to pay again', (_, parts) => {
    const paying = attempt({ ...reported, ...parts });
    for (const page of shown([paying], { livePaymentId: paying.id }, [card])) expect(page).not.toContain('<form');
    expect(shown([paying], { livePaymentId: paying.id }, [card])[0]).toMatch(
      /A payment is in progress[\s\S]*Please do not pay again[\s\S]*Continue this payment/,
    );
  });

  it('can be cancelled once its gateway has not proven for a minute what it reported', () => {
    const paying = attempt({ ...reported, reportedPaidMs: nowMs - 60_000 });
    expect(shown([paying], { livePaymentId: paying.id }, [card])[0]).toContain('Cancel this payment');
  });

  it.each([
    ['begun', live, true],
    ['begun and paid', attempt({ status: 'SUCCEEDED' }), false],
  ])('is not said to have failed where it was %s after its session was read', (_, since, mayCancel) => {
    const [page = ''] = shown([declined, since], { paymentCount: 1 }, [card]);
    expect(page).toContain('A payment is in progress');
    expect(page.includes('Cancel this payment')).toBe(mayCancel);
  });

  it.each([
    ['the last of ten attempts', () => inProgress(9)],
    ['in the time that a session waits for it after its end', () => inProgress(0, { expiresMs: nowMs })],
    ['with no method left', () => inProgress(0, {}, [])],
  ] as const)('%s says that there is no other way to pay', (_, page) => {
    expect(page()).toContain('If you cancel it, you can no longer pay here.');
    expect(page()).not.toContain(promise);
  });
});

it('the page of a paid session has no row for a description or an invoice without text', () => {
  const paid = attempt({ status: 'SUCCEEDED' });
  const rowsIn = (text: string) => {
    const [page = ''] = shown([paid], { status: 'COMPLETED', description: text, invoiceId: text });
    return ['For', 'Invoice'].filter((name) => page.includes(`<dt>${name}</dt>`));
  };
  expect(rowsIn('7')).toEqual(['For', 'Invoice']);
  for (const text of ['', ' ']) expect(rowsIn(text)).toEqual([]);
});
