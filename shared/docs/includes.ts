import { quietHoursRules } from '../compliance/quiet-hours-rules.ts';
import { html, prose } from '../kit/html.ts';
import { type MetricName, metrics } from '../kit/metrics.ts';
import { codesOfMeta } from '../messages/meta-codes.ts';
import { moves, type Trigger } from '../messages/moves.ts';
import * as checkoutGuide from './checkout-guide.ts';
import { codeBlock, codeTabs } from './code/block.ts';
import { functionFigures, operationFigures } from './figures.ts';
import { growthChart, growthTable } from './growth.ts';
import type { Includes } from './guide.ts';
import { checkoutLimits, limitEntries, messagingLimits, phoneRules, specifiedLimits } from './limits.ts';
import { contactStatuses, failureCodes, messageStatuses, triggers } from './messaging-guide.ts';
import { metricTexts } from './metric-texts.ts';
import { platformAnswers, sizeLimits } from './platform.ts';
import { codeList, entryList } from './reference-parts.ts';
import { table } from './scrolling-table.ts';
import {
  simulationCoverage,
  simulationInvariants,
  simulationLeftOut,
  simulationMistakes,
  simulationTotals,
} from './simulation.ts';
import { checkoutSnippets, checkoutVector } from './verify-checkout.ts';
import { signatureVector, standardSnippets, verifySnippets } from './verify-snippets.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const moveRows = (Object.keys(moves) as Trigger[]).map((trigger) => {
  const { on, from, to } = moves[trigger];
  return [triggers[trigger], codes(on), codes(from), `\`${to}\``];
});

const headersOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** What guides include: tables and code that the product itself runs with. */
export const includes: Includes = {
  'message-statuses': entryList(messageStatuses),
  'failure-codes': table(['Code', 'Meaning', 'Credits'], failureCodes),
  'payment-failures': codeList(checkoutGuide.failureCodes),
  'message-moves': table(['What happens', 'Channels', 'From', 'To'], moveRows),
  'whatsapp-codes': table(
    ['Code', 'Of Meta'],
    codesOfMeta().map(([code, numbers]) => [`\`${code}\``, numbers.join(', ')]),
  ),
  'contact-statuses': entryList(contactStatuses),
  'session-moves': codeList(checkoutGuide.sessionMoves),
  'payment-moves': codeList(checkoutGuide.paymentMoves),
  'checkout-steps': html`<ol>${checkoutGuide.steps.map((step) => html`<li>${prose(step)}</li>\n`)}</ol>`,
  'checkout-keys': codeList(checkoutGuide.keys),
  'test-amounts': codeList(checkoutGuide.outcomes),
  chaos: codeList(checkoutGuide.chaos),
  'messaging-limits': entryList(limitEntries([...specifiedLimits, ...messagingLimits])),
  'checkout-limits': entryList([...limitEntries(checkoutLimits), ...checkoutGuide.limits]),
  'phone-rules': html`<p>${prose(phoneRules)}</p>`,
  'size-limits': html`<p>${prose(sizeLimits)}</p>`,
  'platform-answers': table(
    ['Status', 'Body', 'When', 'How to fix it'],
    platformAnswers.map(({ status, body, condition, remedy }) => [String(status), `\`${body}\``, condition, remedy]),
  ),
  'own-metrics': table(
    ['Metric', 'Unit', 'By', 'What it counts'],
    Object.entries(metrics).map(([name, { unit, by }]) => [
      `\`${name}\``,
      unit,
      by === undefined ? '' : `\`${by}\``,
      metricTexts[name as MetricName],
    ]),
  ),
  'operation-figures': operationFigures,
  'function-figures': functionFigures,
  'simulation-totals': simulationTotals,
  'simulation-invariants': simulationInvariants,
  'simulation-coverage': simulationCoverage,
  'simulation-left-out': simulationLeftOut,
  'simulation-mistakes': simulationMistakes,
  'growth-table': growthTable,
  'growth-chart': growthChart,
  'country-rules': table(
    ['Country', 'Quiet'],
    Object.entries(quietHoursRules.countries).map(([country, { start, end, days = [] }]) => [
      country,
      [`${start} to ${end}`, ...days.map((day) => `all of ${weekdays[day]}`)].join(', and '),
    ]),
  ),
  'verify-messaging': codeTabs(verifySnippets),
  'verify-standard': codeTabs(standardSnippets),
  'verify-checkout': codeTabs(checkoutSnippets),
  'messaging-vector': codeBlock(
    `${headersOf(signatureVector.headers)}\n\n${signatureVector.body}`,
    'http',
    'A sample delivery of messaging',
  ),
  'checkout-vector': codeBlock(
    `${headersOf(checkoutVector.headers)}\n\n${checkoutVector.body}`,
    'http',
    'A sample delivery of the checkout',
  ),
};
