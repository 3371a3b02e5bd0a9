import type { Content } from '../messages/content.ts';
import { type Scanned, spamRules, spamThreshold } from './spam-rules.ts';

/** The rule that weighed most, and what all that were met add up to. */
export interface SpamFinding {
  readonly rule: string;
  readonly score: number;
}

const scannedFrom = ({ subject = '', html = '', text = '' }: Content): Scanned => ({
  subject,
  html,
  text,
  words: [subject, html.replace(/<[^<>]*>/g, ' '), text].join(' ').replace(/\s+/g, ' ').toLowerCase(),
});

/**
 * Why a message would harm the account's name with the providers: it holds the test string of all spam scanners, or enough signs of fraud at
 * once. Undefined for anything else: a customer's mail that is held back without reason costs more than one that a provider's own scan stops.
 * Takes time in proportion to the content's size.
 */
export const spamIn = (content: Content): SpamFinding | undefined => {
  const message = scannedFrom(content);
  const met = spamRules.filter(({ isMet }) => isMet(message)).toSorted((a, b) => b.score - a.score);
  const score = met.reduce((sum, rule) => sum + rule.score, 0);
  return met[0] !== undefined && score >= spamThreshold ? { rule: met[0].name, score } : undefined;
};
