import { beforeAll, describe, expect, it } from 'vitest';
import { docsUrlOf, faults } from '../../../shared/http/faults.ts';
import { faultCodes } from '../../../shared/kit/fault.ts';
import { pageFaults, visitBundled } from '../bundled-page-fixture.ts';

let page: Awaited<ReturnType<typeof visitBundled>>;
beforeAll(async () => {
  page = await visitBundled('docs/show-errors');
});

describe('GET /docs/errors', () => {
  it('200 shows an accessible page of under 60 KB that loads nothing', () => {
    expect(page.status).toBe(200);
    expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(pageFaults(page.text)).toEqual([]);
    expect(Buffer.byteLength(page.text)).toBeLessThan(60_000);
  });

  it.each(faultCodes)('shows the status of %s and whether to retry, in the section of its docsUrl', (code) => {
    const [path, anchor] = docsUrlOf(code).split('#');
    expect(path).toBe('/docs/errors');
    const section = page.text.split('<h2 ').find((part) => part.startsWith(`id="${anchor}"`)) ?? '';
    expect(section).toContain(`<dd>${faults[code].status}</dd>`);
    expect(section).toContain(faults[code].isTransient ? 'Yes, later.' : 'No.');
  });

  it('advises a retry for 429, 5xx and requests in flight only', () => {
    const transient = faultCodes.filter((code) => faults[code].isTransient);
    expect(transient).toEqual([
      'idempotency_conflict',
      'rate_limited',
      'internal_error',
      'payment_in_progress',
      'upstream_unavailable',
    ]);
  });

  it.each([
    ['session_not_open', '<a href="/docs/checkout#beginPayment">'],
    ['payment_not_refundable', '<a href="/docs/admin#createRefund">'],
  ])('links %s to the page that documents the endpoint', (code, link) => {
    expect(page.text.split('<h2 ').find((part) => part.startsWith(`id="${code}"`))).toContain(link);
  });

  it('links each code to the endpoints that answer it', () => {
    const section = page.text.split('<h2 ').find((part) => part.startsWith('id="message_not_found"'));
    expect(section).toContain('<a href="/docs#getMessage"><code>GET /api/v1/messages/{id}</code></a>');
  });

  it("lists API Gateway's own answers and limits in numbers", () => {
    const section = page.text.split('<h2 ').find((part) => part.startsWith('id="api-gateway"')) ?? '';
    for (const text of [
      '413',
      'Request Entity Too Large',
      '10,485,760 bytes',
      '503',
      'Service Unavailable',
      '30 seconds',
      'about 700 KB',
      'about 4.5 MB',
    ]) {
      expect(section).toContain(text);
    }
  });
});
