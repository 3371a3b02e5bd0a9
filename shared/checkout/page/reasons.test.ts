import { expect, it } from 'vitest';
import { reasonFor } from './reasons.ts';
import { texts } from './texts.ts';

const declined = (
  gatewayCode: string,
  answer: { readonly code?: string; readonly reason?: string },
  amountMinor = 600_000,
) =>
  reasonFor({ gatewayCode, amountMinor, lastAnswer: { state: 'failed', at: '2026-11-20T12:00:00.000Z', ...answer } });

it.each([
  ['2023', undefined, 'reasonFunds'],
  ['2037', 'The account of the debit party is in a state which prohibits execution', 'reasonBarred'],
  ['2058', 'Not a Customer Wallet', 'reasonBarred'],
  ['2039', 'The account of the credit party is in a state which prohibits execution', 'reasonOther'],
  ['2081', 'Debit party not permitted', 'reasonBarred'],
  ['Failed', undefined, 'reasonOther'],
  ['FAILED', 'Insufficient Balance', 'reasonFunds'],
  ['FAILED', 'Transaction amount exceeds limit', 'reasonLimit'],
  ['FAILED', 'Expired Card', 'reasonExpired'],
  ['FAILED', 'Invalid OTP', 'reasonUnconfirmed'],
  ['FAILED', '3D authentication failed', 'reasonUnconfirmed'],
  ['FAILED', 'Invalid card number', 'reasonDetails'],
  ['FAILED', 'Restricted card', 'reasonBarred'],
  ['FAILED', 'Do not honour', 'reasonOther'],
  ['UNATTEMPTED', undefined, 'reasonOther'],
] as const)('a gateway’s code %j with the words %j is the reason %s', (code, reason, expected) => {
  expect(declined('sslcommerz', { code, ...(reason && { reason }) })).toBe(expected);
  expect(texts[expected].bn).not.toMatch(/[a-z](?![^{]*\})/i);
});

it('says of the simulator’s declined amount that it is always declined', () => {
  expect(declined('sim_card', { code: 'declined' }, 1_001)).toBe('reasonTest');
});

it('has words where a payment ended without an answer', () => {
  expect(reasonFor({ gatewayCode: 'bkash', amountMinor: 100, lastAnswer: undefined })).toBe('reasonOther');
});
