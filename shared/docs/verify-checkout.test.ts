import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { checkoutDeliveryHeaders } from '../webhooks/signature.ts';
import { testInOtherLanguages } from './snippet-languages-fixture.ts';
import { checkoutSnippets, checkoutVector } from './verify-checkout.ts';
import { verifySnippets } from './verify-snippets.ts';

const { secret, event, deliveryId, sequence, body, headers } = checkoutVector;
const directory = mkdtempSync(join(tmpdir(), 'verify-checkout-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('signs a delivery of the checkout as the published test vector says', () => {
  expect(checkoutDeliveryHeaders({ event, secrets: [secret], sequence, body }, deliveryId)).toMatchObject(headers);
});

it('has a Go snippet that can be in one package with that of messaging', () => {
  const namesIn = (snippets: readonly { readonly language: string; readonly code: string }[]) =>
    snippets
      .filter(({ language }) => language === 'Go')
      .flatMap(({ code }) => [...code.matchAll(/^(?:var|func) (\w+)/gm)].map(([, name]) => name));
  const names = [...namesIn(verifySnippets), ...namesIn(checkoutSnippets)];
  expect([names.length, new Set(names).size]).toEqual([4, 4]);
});

describe('the published snippets of the checkout', () => {
  const fileOf = ({ file, code }: (typeof checkoutSnippets)[number]) => {
    const path = join(directory, file);
    writeFileSync(path, code);
    return path;
  };
  const signature = headers['X-Checkout-Signature'];
  const cases = [
    { name: 'the vector', isGood: true, body, signature, secret },
    { name: 'another body', isGood: false, body: `${body} `, signature, secret },
    { name: 'another secret', isGood: false, body, signature, secret: secret.toUpperCase() },
    { name: 'another signature', isGood: false, body, signature: `sha256=${'0'.repeat(64)}`, secret },
    { name: 'half a signature', isGood: false, body, signature: signature.slice(0, -2), secret },
    { name: 'a signature without its kind', isGood: false, body, signature: signature.slice(7), secret },
    { name: 'a signature with a line break', isGood: false, body, signature: `${signature}\n`, secret },
    { name: 'no signature', isGood: false, body, signature: '', secret },
    { name: 'a header that did not come', isGood: false, body, signature: null, secret },
  ];

  it.each(cases)('Node: $name', async (one) => {
    const [node] = checkoutSnippets;
    const { isFromCheckout } = await import(/* @vite-ignore */ pathToFileURL(fileOf(node)).href);
    expect(isFromCheckout(one.body, one.signature, one.secret)).toBe(one.isGood);
    expect(isFromCheckout(Buffer.from(one.body), one.signature, one.secret)).toBe(one.isGood);
  });

  it('Node: a header that did not come', async () => {
    const { isFromCheckout } = await import(/* @vite-ignore */ pathToFileURL(fileOf(checkoutSnippets[0])).href);
    expect(isFromCheckout(body, undefined, secret)).toBe(false);
  });

  testInOtherLanguages(checkoutSnippets, cases, {
    Python: 'is_from_checkout(c["body"].encode(), c["signature"], c["secret"])',
    Go: 'IsFromCheckout([]byte(c.Body), c.Signature, c.Secret)',
    PHP: "is_from_checkout($c['body'], $c['signature'], $c['secret'])",
    Ruby: "from_checkout?(c['body'], c['signature'], c['secret'])",
  });
});
