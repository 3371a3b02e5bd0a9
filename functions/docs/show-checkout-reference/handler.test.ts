import { beforeAll, describe, expect, it } from 'vitest';
import { describedRoutes } from '../../../infra/describe.ts';
import { checkoutEventNames } from '../../../shared/checkout/events.ts';
import { chaosKinds } from '../../../shared/checkout/gateway-answer.ts';
import { paymentStatuses, sessionStatuses } from '../../../shared/checkout/session.ts';
import { checkoutVector } from '../../../shared/webhooks/verify-checkout.ts';
import { pageFaults, visitBundled } from '../bundled-page-fixture.ts';

let page: Awaited<ReturnType<typeof visitBundled>>;
beforeAll(async () => {
  page = await visitBundled('docs/show-checkout-reference');
});

/** The section of an endpoint. */
const sectionOf = (heading: string) =>
  page.text.split('<h3 ').find((part) => part.includes(`<p><code>${heading}</code>`)) ?? '';

describe('GET /docs/checkout', () => {
  it('200 shows an accessible page of under 90 KB that loads nothing', () => {
    expect(page.status).toBe(200);
    expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(pageFaults(page.text)).toEqual([]);
    expect(Buffer.byteLength(page.text)).toBeLessThan(90_000);
  });

  it('covers the calls of merchants with a key and of payers without one', () => {
    const documented = describedRoutes.filter(({ api }) => api === 'checkout' || api === 'payers');
    expect(documented.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/checkout-sessions',
      'GET /v1/checkout-sessions',
      'GET /v1/checkout-sessions/{id}',
      'POST /v1/checkout-sessions/{id}/expire',
      'GET /v1/payments',
      'GET /v1/payments/{id}',
      'POST /v1/payments/{id}/refunds',
      'GET /v1/refunds',
      'GET /v1/refunds/{id}',
      'GET /v1/public/checkout-sessions/{id}',
      'GET /v1/public/checkout-sessions/{id}/status',
      'POST /v1/public/checkout-sessions/{id}/payments',
    ]);
  });

  it('shows how a session is created: key, fields, answer, refusals', () => {
    const section = sectionOf('POST /v1/checkout-sessions');
    expect(section).toContain('-H &quot;Authorization: Bearer $API_KEY&quot;');
    expect(section).toContain('<dt><code>amountMinor</code></dt>\n<dd><i>integer, 1 to 999999999999.</i>');
    expect(section).toContain('<dt><code>Idempotency-Key</code></dt>');
    expect(section).toContain('&quot;status&quot;: &quot;OPEN&quot;');
    for (const code of ['bad_request', 'unauthorized', 'forbidden_scope', 'unsupported_currency', 'rate_limited']) {
      expect(section).toContain(`<a href="/docs/errors#${code}">`);
    }
    expect(section).not.toContain('idempotency_conflict');
  });

  it.each([
    ['GET /v1/public/checkout-sessions/{id}', 'session_not_found'],
    ['GET /v1/public/checkout-sessions/{id}/status', 'session_not_found'],
    ['POST /v1/public/checkout-sessions/{id}/payments', 'payment_in_progress'],
  ])('shows %s, which needs no key', (heading, code) => {
    const section = sectionOf(heading);
    expect(section).toContain(', without a key');
    expect(section).toContain('<pre>curl ');
    expect(section).not.toContain('Authorization');
    expect(section).toContain(`<a href="/docs/errors#${code}">`);
    expect(section).not.toContain('<a href="/docs/errors#unauthorized">');
  });

  it.each([
    ['kind of key', ['sk_live_', 'sk_test_', 'pk_live_', 'pk_test_']],
    ['status', [...sessionStatuses, ...paymentStatuses]],
    ['amount of test mode', ['1001', '1002', '1003', '1004']],
    ['trouble that can be made', chaosKinds],
    ['event, with its payload', checkoutEventNames.map((name) => `&quot;event&quot;: &quot;${name}&quot;`)],
    ['header of a delivery', Object.keys(checkoutVector.headers)],
  ])('names every %s', (_, names) => {
    for (const name of names) expect(page.text).toContain(name);
  });

  it('documents the placeholder in return URLs, and has an example signature', () => {
    expect(page.text).toContain('<code>{CHECKOUT_SESSION_ID}</code>');
    expect(page.text).toContain(checkoutVector.headers['X-Checkout-Signature']);
  });
});
