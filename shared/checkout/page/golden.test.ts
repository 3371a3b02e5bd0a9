import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkoutPageHeaders } from '../../http/checkout-page.ts';
import { languages } from '../../kit/language.ts';
import { screens } from './screens-fixture.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/**
 * Keeps what payers' browsers are given from changing unseen (PCI DSS 4.0.1, 11.6.1). After a change that is meant:
 * `npx vitest run --config test/vitest.config.ts golden -u`, and look at what differs.
 */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

it('sends the headers it is known to send', async () => {
  const lines = Object.entries(checkoutPageHeaders).map(([name, value]) => `${name}: ${value}\n`);
  await expect(lines.join('')).toMatchFileSnapshot('golden/headers.txt');
});

it('allows the script that the pages have, and no other', () => {
  const hash = createHash('sha256').update(script).digest('base64');
  expect(checkoutPageHeaders['Content-Security-Policy']).toContain(`script-src 'sha256-${hash}';`);
});

it('shows the pages it is known to show', async () => {
  const pages = Object.entries(screens).flatMap(([name, draw]) =>
    languages.map((language) => `${digest(draw(language))} ${name} ${language}\n`),
  );
  await expect([`${digest(style)} style\n`, `${digest(script)} script\n`, ...pages].join('')).toMatchFileSnapshot(
    'golden/pages.txt',
  );
});
