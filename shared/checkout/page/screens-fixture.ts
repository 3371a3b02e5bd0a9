import type { Language } from '../../kit/language.ts';
import { noBranding } from '../branding.ts';
import { choicePage, deadEndPage } from './choice.ts';
import { expiredPage, paidPage } from './ending.ts';
import { heldPage, leavingPage, underWayPage, waitingPage } from './progress.ts';
import type { Sale } from './sale.ts';
import { troublePage } from './trouble.ts';

export const sale: Sale = {
  path: '/checkout/019a9c1e-5b7a-7c31-9f04-2d6f0c1e8a55',
  merchant: 'Dhaka Books',
  amountMinor: 600_000,
  currency: 'BDT',
  description: 'Order 1042: three novels and a lamp',
  lineItems: [],
  branding: noBranding,
  livemode: false,
  invoiceId: undefined,
  expiresMs: Date.parse('2026-11-21T12:00:00Z'),
  nowMs: Date.parse('2026-11-20T12:00:00Z'),
  successUrl: 'https://shop.example/done',
  cancelUrl: 'https://shop.example/basket',
};

const methods = (['sim_card', 'sim_wallet', 'sim_bank'] as const).map((gatewayCode, n) => ({
  acceptanceMethodId: `019a9c1e-5b7a-7c31-9f04-2d6f0c1e8a5${n}`,
  gatewayCode,
  label: ['Card', 'Mobile wallet', 'Bank account'][n] ?? '',
}));

const attempt = { path: `${sale.path}/payments/019a9c1e-5b7a-7c31-9f04-2d6f0c1e8a66`, method: 'Mobile wallet' };
const receipt = {
  method: 'Mobile wallet',
  reference: '019a9c1e-5b7a-7c31-9f04-2d6f0c1e8a66',
  transactionId: 'B1F90A2C3D',
  paidMs: Date.parse('2026-11-20T12:00:00Z'),
  hasSurplus: false,
};
const bare: Sale = { ...sale, livemode: true, description: undefined, successUrl: undefined, cancelUrl: undefined };

const withItems: Sale = {
  ...sale,
  lineItems: [
    { name: 'Novel <in> three parts', quantity: 3, unitAmountMinor: 150_000 },
    { name: 'বাতি', quantity: 1, unitAmountMinor: 150_000 },
  ],
};

const withManyItems: Sale = {
  ...sale,
  lineItems: Array.from({ length: 12 }, (_, n) => ({ name: `${n + 1}`, quantity: 1, unitAmountMinor: 50_000 })),
};

const branded: Sale = {
  ...withItems,
  expiresMs: Date.parse('2026-11-20T12:31:00Z'),
  invoiceId: 'INV-2026-10427',
  branding: {
    logoId: '0123456789abcdef0123456789abcdef',
    color: '#ffcc00',
    supportEmail: 'help@shop.example',
    supportPhone: '+880 1700-000000',
    statementName: 'DHAKA BOOKS',
  },
};

const realMethods = (language: Language) => [
  { acceptanceMethodId: 'a', gatewayCode: 'bkash', label: language === 'bn' ? 'বিকাশ' : 'bKash' },
  { acceptanceMethodId: 'b', gatewayCode: 'sslcommerz', label: language === 'bn' ? 'কার্ড ও ব্যাংক' : 'Cards and banks' },
];

type Draw = (language: Language, of?: Sale) => string;

/** Every screen of the checkout, by name. */
export const screens: Readonly<Record<string, Draw>> = {
  choice: (language, of = sale) => choicePage(language, of, { methods, begun: 0, setback: undefined }),
  'choice-bare': (language) => choicePage(language, bare, { methods, begun: 0, setback: undefined }),
  'choice-items': (language, of = withItems) => choicePage(language, of, { methods, begun: 0, setback: undefined }),
  'choice-many-items': (language, of = withManyItems) =>
    choicePage(language, of, { methods, begun: 0, setback: undefined }),
  'choice-branded': (language, of = branded) => choicePage(language, of, { methods, begun: 0, setback: undefined }),
  'paid-branded': (language, of = branded) => paidPage(language, of, receipt, 'shown'),
  'choice-gateways': (language) =>
    choicePage(
      language,
      { ...branded, livemode: true, amountMinor: 999_999_999_999, lineItems: [] },
      { methods: realMethods(language), begun: 0, setback: undefined },
    ),
  'no-choice': (language, of = sale) =>
    choicePage(language, of, { methods, begun: 0, setback: undefined, problem: 'choose' }),
  'choice-unavailable': (language, of = sale) =>
    choicePage(language, of, { methods, begun: 0, setback: undefined, problem: 'unavailable' }),
  declined: (language, of = sale) =>
    choicePage(language, of, { methods, begun: 1, setback: { kind: 'declined', reason: 'reasonFunds' } }),
  unavailable: (language, of = sale) =>
    choicePage(language, of, {
      methods: methods.slice(1, 2),
      begun: 1,
      setback: { kind: 'unavailable', method: 'bKash' },
    }),
  cancelled: (language, of = sale) => choicePage(language, of, { methods, begun: 1, setback: { kind: 'cancelled' } }),
  'given-back': (language, of = sale) =>
    choicePage(language, of, { methods, begun: 1, setback: { kind: 'givenBack' } }),
  'timed-out': (language, of = sale) => choicePage(language, of, { methods, begun: 1, setback: { kind: 'timedOut' } }),
  'no-method': (language, of = sale) => deadEndPage(language, of, 'noMethod', []),
  exhausted: (language, of = sale) => deadEndPage(language, of, 'exhausted', ['declined', 'unavailable']),
  'exhausted-cancelled': (language, of = sale) => deadEndPage(language, of, 'exhausted', ['declined', 'cancelled']),
  'exhausted-given-back': (language, of = sale) => deadEndPage(language, of, 'exhausted', ['givenBack', 'timedOut']),
  'under-way': (language, of = sale) => underWayPage(language, of, { ...attempt, isLast: false, mayCancel: true }),
  'under-way-last': (language, of = sale) => underWayPage(language, of, { ...attempt, isLast: true, mayCancel: true }),
  'under-way-reported': (language, of = sale) =>
    underWayPage(language, of, { ...attempt, isLast: false, mayCancel: false }),
  leaving: (language, of = sale) =>
    leavingPage(language, of, { ...attempt, ageMs: 0, redirectUrl: 'https://gateway.example/pay?a=1&b=2' }),
  connecting: (language, of = sale) => leavingPage(language, of, { ...attempt, ageMs: 0, redirectUrl: undefined }),
  waiting: (language, of = sale) =>
    waitingPage(language, of, { ...attempt, ageMs: 0, checksItself: true, mayCancel: true }),
  'waiting-long': (language, of = sale) =>
    waitingPage(language, of, { ...attempt, ageMs: 300_000, checksItself: true, mayCancel: true }),
  'waiting-quietly': (language, of = sale) =>
    waitingPage(language, of, { ...attempt, ageMs: 0, checksItself: false, mayCancel: false }),
  held: (language, of = sale) => heldPage(language, of, attempt),
  'paid-now': (language, of = sale) => paidPage(language, of, receipt, 'now'),
  paid: (language) => paidPage(language, bare, receipt, 'shown'),
  'already-paid': (language, of = sale) => paidPage(language, of, receipt, 'again'),
  'paid-twice': (language, of = sale) => paidPage(language, of, { ...receipt, hasSurplus: true }, 'again'),
  expired: (language, of = sale) => expiredPage(language, of, []),
  'expired-given-back': (language, of = sale) => expiredPage(language, of, ['givenBack']),
  'expired-timed-out': (language, of = sale) => expiredPage(language, of, ['declined', 'timedOut']),
  unknown: (language) => troublePage(language, 'session_not_found', true),
  crowded: (language) => troublePage(language, 'rate_limited', true),
  broken: (language) => troublePage(language, 'internal_error', true),
  brokenForm: (language) => troublePage(language, 'internal_error', false),
};
