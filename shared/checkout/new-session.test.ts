import { describe, expect, it } from 'vitest';
import { JsonText } from '../kit/json-text.ts';
import { newSession, type Requester, type SessionWish } from './new-session.ts';

const wish: SessionWish = { amountMinor: 600_000, currency: 'BDT', successUrl: 'https://shop.example/thanks' };
const requester: Requester = { account: { id: 'a' }, livemode: false, createdWith: 'secret', limits: {} };
const made = (wished: Partial<SessionWish>, by: Partial<Requester> = {}) =>
  newSession({ ...wish, ...wished }, { ...requester, ...by }, { id: 's', nowMs: 1_000, lifetimeSeconds: 86_400 });

describe('a new session', () => {
  it('is open for its lifetime, with what its key says of mode and kind', () => {
    expect(made({}, { livemode: true, createdWith: 'publishable' })).toMatchObject({
      id: 's',
      accountId: 'a',
      status: 'OPEN',
      paymentStatus: 'PENDING',
      livemode: true,
      createdWith: 'publishable',
      expiresMs: 86_401_000,
      paymentCount: 0,
      customer: {},
      metadata: new JsonText('{}'),
    });
  });

  it('returns to this machine with test keys only', () => {
    const wished = { cancelUrl: 'http://localhost/cart' };
    expect(made(wished).cancelUrl).toBe('http://localhost/cart');
    expect(() => made(wished, { livemode: true })).toThrow('cancelUrl: must be https with a live key');
  });
});

describe('a key’s own limits', () => {
  const limits = { redirectHosts: ['shop.example', 'shop.example:8443'], maxAmountMinor: 1_000 };

  it.each<Partial<SessionWish>>([
    { amountMinor: 1_000 },
    { amountMinor: 1, cancelUrl: 'https://SHOP.example:8443/cart' },
    { amountMinor: 1, successUrl: undefined },
  ])('permit %o', (wished) => {
    expect(made(wished, { limits }).status).toBe('OPEN');
  });

  it.each<[Partial<SessionWish>, string]>([
    [{ amountMinor: 1_001 }, 'amountMinor: must be at most 1000 with this key'],
    [{ amountMinor: 1, successUrl: 'https://evil.example/' }, 'successUrl: must have a host'],
    [{ amountMinor: 1, successUrl: 'https://shop.example.evil.example/' }, 'successUrl: must have a host'],
    [{ amountMinor: 1, cancelUrl: 'https://sub.shop.example/' }, 'cancelUrl: must have a host'],
    [{ amountMinor: 1, cancelUrl: 'https://shop.example:444/' }, 'cancelUrl: must have a host'],
  ])('refuse %o', (wished, message) => {
    expect(() => made(wished, { limits })).toThrow(message);
  });
});
