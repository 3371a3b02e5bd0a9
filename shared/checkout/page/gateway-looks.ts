import { type Html, html } from '../../kit/html.ts';
import { icons } from './icons.ts';
import type { texts } from './texts.ts';

const frame = '<rect x=".5" y=".5" width="37" height="23" rx="3.5" fill="#fff" stroke="#d5dbe1"/>';

const drawn = (name: string, drawing: string): Html => ({
  markup: `<svg class="brand-mark" viewBox="0 0 38 24" role="img" aria-label="${name}">${frame}${drawing}</svg>`,
});

/** A name in clear type: for marks that only their owners' artwork may show. */
const named = (name: string): Html => html`<span class="brand-name" aria-hidden="true">${name}</span>`;

/** A merchant that takes these cards may show these marks. */
const cards = [
  drawn(
    'Visa',
    '<text x="19" y="16" text-anchor="middle" font-family="sans-serif" font-size="11" font-weight="800" font-style="italic" fill="#1a1f71">VISA</text>',
  ),
  drawn(
    'Mastercard',
    '<circle cx="15.5" cy="12" r="6.5" fill="#eb001b"/><circle cx="22.5" cy="12" r="6.5" fill="#f79e1b"/><path fill="#ff5f00" d="M19 6.5a6.5 6.5 0 0 1 0 11 6.5 6.5 0 0 1 0-11z"/>',
  ),
] as const;

interface Looks {
  readonly marks: readonly Html[];
  readonly hint?: keyof typeof texts & ('cardsAndBanks' | 'bkashAccount');
}

/** What payers know a gateway by. */
const looks: Readonly<Record<string, Looks>> = {
  sim_card: { marks: cards },
  sim_wallet: { marks: [icons.wallet] },
  sim_bank: { marks: [icons.bank] },
  sslcommerz: { marks: cards, hint: 'cardsAndBanks' },
  bkash: { marks: [named('bKash')], hint: 'bkashAccount' },
};

export const looksOf = (gatewayCode: string): Looks => looks[gatewayCode] ?? { marks: [icons.card] };
