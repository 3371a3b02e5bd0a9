import { expect, it } from 'vitest';
import { openSession, pendingPayment } from '../../test/checkout-fixture.ts';
import { noBranding } from './branding.ts';
import { receiptContent } from './receipt.ts';
import type { CheckoutSession } from './session.ts';

const receipt = (parts: Partial<CheckoutSession>, labels?: { displayLabel: string; displayLabelBn?: string }) => {
  const session = openSession('a', parts);
  const payment = { ...pendingPayment(session), transactionId: 'B1F90A2C3D' };
  const rest = { gatewayCode: 'sim_card', livemode: false, enabled: true, sortOrder: 0, credentials: {} } as const;
  return receiptContent({
    session,
    payment,
    merchant: 'Dhaka Books',
    branding: noBranding,
    logoUrl: undefined,
    method: labels && { id: payment.acceptanceMethodId, ...rest, ...labels },
    paidMs: Date.parse('2026-11-20T12:00:00Z'),
  });
};

it('a receipt has no line for a description or an invoice without text', () => {
  const namesIn = (text: string) => {
    const mail = receipt({ locale: 'en', description: text, invoiceId: text });
    expect(mail.html?.includes('>For<')).toBe(mail.text?.includes('For: '));
    return [...(mail.text ?? '').matchAll(/^(For|Invoice): /gm)].map(([, name]) => name);
  };
  expect(namesIn('7')).toEqual(['For', 'Invoice']);
  for (const text of ['', ' ']) expect(namesIn(text)).toEqual([]);
});

it('a receipt keeps names that run from right to left from turning round what stands beside them', () => {
  const name = 'كتاب الطبخ (2)';
  const lineItems = [{ name, quantity: 3, unitAmountMinor: 200_000 }];
  const mail = receipt({ locale: 'en', description: name, lineItems });
  expect(mail.text).toContain(`For: \u2068${name}\u2069\n3 × \u2068${name}\u2069: ৳6,000.00\n`);
  expect(mail.html).toContain(`>3 × \u2068${name}\u2069</th>`);
});

it('a receipt has the gateway’s name of the transaction, in the words of the page', () => {
  expect(receipt({}).text).toMatch(/^Transaction ID: B1F90A2C3D\nPayment ID: [\s\S]*^লেনদেন নম্বর: B1F90A2C3D\n/m);
});

it('a receipt names the method in the language of each part, as pages do', () => {
  const namesIn = (...[parts, labels]: Parameters<typeof receipt>) =>
    [...(receipt(parts, labels).text ?? '').matchAll(/^(?:Paid with|পরিশোধের মাধ্যম): (.+)$/gm)].map(([, name]) => name);
  const labels = { displayLabel: 'Card', displayLabelBn: 'কার্ড' };
  expect(namesIn({}, labels)).toEqual(['Card', 'কার্ড']);
  expect(namesIn({ locale: 'bn' }, labels)).toEqual(['কার্ড']);
  expect(namesIn({}, { displayLabel: 'Card' })).toEqual(['Card', 'Card']);
  expect(namesIn({})).toEqual(['sim_card', 'sim_card']);
});
