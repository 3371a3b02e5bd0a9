import { html } from '../../kit/html.ts';
import type { Language } from '../../kit/language.ts';
import { moneyAfterAll, onwardAfter, type SetbackKind } from './choice.ts';
import { itemRows } from './items.ts';
import { timeText } from './money.ts';
import { asWritten, largeAmount, marks, type Sale, salePage, sum, wayOut } from './sale.ts';
import { spelled } from './spelled.ts';
import { speaker } from './texts.ts';

/** What a payer may want to prove. */
export interface Receipt {
  readonly method: string;
  readonly reference: string;
  /** The gateway's name of the money that moved. */
  readonly transactionId: string | undefined;
  readonly paidMs: number;
  /** Another attempt took money too. */
  readonly hasSurplus: boolean;
}

/** `now`: the payer has just paid; `shown`: a later view; `again`: a payer came to a session that is paid. */
export type Occasion = 'now' | 'shown' | 'again';

export const paidPage = (language: Language, sale: Sale, receipt: Receipt | undefined, occasion: Occasion): string => {
  const say = speaker(language);
  const { merchant, successUrl, description, invoiceId } = sale;
  const { statementName } = sale.branding;
  const advice = {
    now: say('paidReturnAdvice', { merchant }),
    shown: say('paidAdvice'),
    again: say('alreadyPaidAdvice'),
  };
  const rows = [
    [say('paidFor'), description === undefined ? undefined : asWritten(description)],
    [say('paidWith'), receipt && asWritten(receipt.method)],
    [say('statement'), statementName === null ? undefined : asWritten(statementName)],
    [say('paidAt'), receipt && timeText(language, receipt.paidMs)],
    [say('invoice'), invoiceId === undefined ? undefined : spelled(invoiceId)],
    [say('transaction'), receipt?.transactionId === undefined ? undefined : spelled(receipt.transactionId)],
    [say('reference'), receipt && spelled(receipt.reference)],
  ] as const;
  return salePage(language, sale, {
    title: say(occasion === 'again' ? 'alreadyPaid' : 'paid'),
    mark: marks.good,
    content: html`<p class="soft">${advice[occasion]}</p>
${receipt?.hasSurplus && html`<p>${say('givesMoreBack')}</p>\n`}<div class="sum">
<p>${largeAmount(language, sale)}</p>
${itemRows(language, sale)}</div>
<dl>
${rows.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${
  successUrl !== undefined &&
  html`<div class="actions"><a class="action" href="${successUrl}">${say('returnToMerchant', { merchant })}</a></div>`
}`,
  });
};

/** `setbacks`: how the attempts ended. */
export const expiredPage = (language: Language, sale: Sale, setbacks: readonly SetbackKind[]): string => {
  const say = speaker(language);
  const money = moneyAfterAll(setbacks);
  const mayCount = money === 'mayCount';
  const advice = `${say('closed')} ${say(onwardAfter(money), { merchant: sale.merchant })}`;
  return salePage(language, sale, {
    title: say('expired'),
    mark: marks.clock,
    content: html`<p>${setbacks.length > 0 && `${say(money)} `}${advice}</p>
${sum(language, sale)}
${mayCount && html`<div class="actions"><a class="action" href="${sale.path}">${say('checkNow')}</a></div>\n`}${wayOut(language, sale, true)}`,
  });
};
