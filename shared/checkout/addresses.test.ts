import { expect, it } from 'vitest';
import { openSession, pendingPayment } from '../../test/checkout-fixture.ts';
import { checkoutAddresses } from './addresses.ts';

const addresses = checkoutAddresses('https://api.example');
const session = openSession('account', {
  successUrl: 'https://shop.example/thanks?s={CHECKOUT_SESSION_ID}&t={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://shop.example',
  livePaymentId: 'p',
});
const payment = pendingPayment(session);
const completed = { ...session, status: 'COMPLETED' as const };
const next = (of: typeof session | typeof completed, status: typeof payment.status) =>
  addresses.next(of, { ...payment, status }, Date.now());

it('a payer waits while the payment is under way', () => {
  expect(next(session, 'PENDING')).toBe(`https://api.example/checkout/${session.id}/payments/${payment.id}`);
});

it('returns to successUrl once the session is completed, with its id where the merchant wants it', () => {
  for (const status of ['SUCCEEDED', 'FAILED', 'EXPIRED'] as const)
    expect(next(completed, status)).toBe(`https://shop.example/thanks?s=${session.id}&t=${session.id}`);
});

it('returns to cancelUrl as it was given after a failure, and after surplus money', () => {
  expect(next({ ...session, livePaymentId: undefined }, 'FAILED')).toBe('https://shop.example');
  expect(next({ ...session, status: 'EXPIRED' }, 'SUCCEEDED')).toBe('https://shop.example');
});

it('stays on the hosted result page where the merchant gave no address', () => {
  const plain = { ...session, successUrl: undefined, cancelUrl: undefined };
  const page = `https://api.example/checkout/${session.id}/result`;
  expect([next({ ...plain, status: 'COMPLETED' }, 'SUCCEEDED'), next(plain, 'FAILED')]).toEqual([page, page]);
});

it('gives addresses that a header can hold', () => {
  const umlaut = { ...completed, successUrl: 'https://shop.example/grüße' };
  expect(next(umlaut, 'SUCCEEDED')).toBe('https://shop.example/gr%C3%BC%C3%9Fe');
});
