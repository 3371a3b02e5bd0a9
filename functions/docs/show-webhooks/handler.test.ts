import { beforeAll, describe, expect, it } from 'vitest';
import { describedRoutes } from '../../../infra/describe.ts';
import { eventNames } from '../../../shared/webhooks/events.ts';
import { signatureVector } from '../../../shared/webhooks/verify-snippets.ts';
import { pageFaults, visitBundled } from '../bundled-page-fixture.ts';

let page: Awaited<ReturnType<typeof visitBundled>>;
beforeAll(async () => {
  page = await visitBundled('docs/show-webhooks');
});

describe('GET /docs/webhooks', () => {
  it('200 shows an accessible page of under 60 KB that loads nothing', () => {
    expect(page.status).toBe(200);
    expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(pageFaults(page.text)).toEqual([]);
    expect(Buffer.byteLength(page.text)).toBeLessThan(60_000);
  });

  it('lists every event and every language, and has an example signature', () => {
    for (const text of [...eventNames, 'Node', 'Python', 'Go', 'PHP', signatureVector.headers['X-Service-Signature']]) {
      expect(page.text).toContain(text);
    }
  });

  it('documents every endpoint that manages subscriptions, with the older shape of their errors', () => {
    const managing = describedRoutes.filter(({ api }) => api === 'webhooks');
    expect(managing).toHaveLength(10);
    for (const { method, path } of managing) expect(page.text).toContain(`<p><code>${method} ${path}</code>`);
    expect(page.text).toContain('{ statusCode, error, message, timestamp, path }');
    expect(page.text).not.toContain('docsUrl');
  });
});
