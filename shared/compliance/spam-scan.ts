import type { Content } from '../messages/content.ts';
import { type Scanned, spamRules, spamThreshold } from './spam-rules.ts';
import { asRead, readReferences, visibleTextOf } from './visible-text.ts';

const scannedFrom = ({ subject = '', html = '', text = '' }: Content): Scanned => ({
  subject,
  html,
  markup: readReferences(html).replace(/\s+/g, ' '),
  text,
  words: asRead([subject, visibleTextOf(html), text].join(' ')),
});

/**
 * Why a message is spam, by the matched rule with the highest weight: it contains the test string of all spam scanners, or enough signs of fraud. Undefined otherwise. A wrongly refused
 * mail costs a customer more than spam that a provider's own scan stops, so the threshold is high. Runs in linear time.
 */
export const spamIn = (content: Content): { readonly rule: string } | undefined => {
  const message = scannedFrom(content);
  const met = spamRules.filter(({ isMet }) => isMet(message)).toSorted((a, b) => b.score - a.score);
  const score = met.reduce((sum, rule) => sum + rule.score, 0);
  return met[0] !== undefined && score >= spamThreshold ? { rule: met[0].name } : undefined;
};
