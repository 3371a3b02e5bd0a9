import { expect, it } from 'vitest';
import { openSession, pendingPayment } from '../../test/checkout-fixture.ts';
import { noBranding } from './branding.ts';
import { receiptOf } from './receipt.ts';
import type { CheckoutSession } from './session.ts';

const receipt = (parts: Partial<CheckoutSession>) => {
  const session = openSession('a', parts);
  return receiptOf({
    session,
    payment: pendingPayment(session),
    merchant: 'Dhaka Books',
    branding: noBranding,
    logoUrl: undefined,
    method: 'Card',
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
