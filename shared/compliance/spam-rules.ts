/** A message as the rules read it. */
export interface Scanned {
  readonly subject: string;
  readonly html: string;
  /** The HTML with its character references read, and single spaces. */
  readonly markup: string;
  readonly text: string;
  /** All that a person sees: subject, HTML and text, in lower case, with single spaces. */
  readonly words: string;
}

export interface SpamRule {
  readonly name: string;
  readonly score: number;
  readonly isMet: (message: Scanned) => boolean;
}

/** The score from which a message is refused. Only the test string reaches it alone; no other one or two rules do. */
export const spamThreshold = 6;

/** The test string of SpamAssassin, which every scanner blocks (spamassassin.apache.org/gtube). */
const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

const phrases =
  (...phrases: readonly string[]): SpamRule['isMet'] =>
  ({ words }) =>
    phrases.some((phrase) => words.includes(phrase));

/**
 * Signs that are rare in legitimate messages. Patterns have no nested or unlimited repetition, so the time is linear in the text's size.
 */
export const spamRules: readonly SpamRule[] = [
  {
    name: 'gtube',
    score: 1_000,
    isMet: ({ subject, html, text }) => [subject, html, text].some((field) => field.includes(gtube)),
  },
  {
    name: 'advance-fee',
    score: 2.5,
    isMet: phrases('next of kin', 'unclaimed inheritance', 'inheritance fund', 'unclaimed fund', 'atm card worth'),
  },
  {
    name: 'millions',
    score: 2,
    isMet: ({ words }) =>
      /[$£€]\d[\d.,]{0,12} ?million|\bmillion (us )?dollars|million (united states|u\.s\.) dollars/.test(words),
  },
  {
    name: 'secrecy',
    score: 1.5,
    isMet: phrases('strictly confidential', 'utmost confidentiality', 'keep this confidential', 'reply urgently'),
  },
  {
    name: 'lottery',
    score: 2.5,
    isMet: phrases('you have won the lottery', 'lottery winner', 'your email was selected', 'claim your winnings'),
  },
  {
    name: 'blackmail',
    score: 2.5,
    isMet: phrases('recorded you through your webcam', 'access to your webcam', 'adult sites', 'compromising video'),
  },
  {
    name: 'coins-demanded',
    score: 2.5,
    isMet: phrases(
      'send bitcoin to',
      'bitcoin wallet below',
      'btc wallet',
      'double your bitcoin',
      'guaranteed daily profit',
    ),
  },
  {
    name: 'pills',
    score: 2.5,
    isMet: ({ words }) => /\b(viagra|cialis|levitra)\b/.test(words),
  },
  {
    name: 'without-prescription',
    score: 2,
    isMet: phrases('no prescription needed', 'no prescription required', 'without prescription'),
  },
  {
    /** A form in a mail sends its input to a third party. */
    name: 'password-field',
    score: 2.5,
    isMet: ({ markup }) => /<input[^<>]{0,500}type ?= ?["']?password/i.test(markup),
  },
  {
    name: 'script-link',
    score: 2.5,
    isMet: ({ markup }) => /href ?= ?["']? ?(javascript|vbscript|data):/i.test(markup),
  },
  {
    name: 'link-to-number',
    score: 2,
    isMet: ({ markup, words }) =>
      [markup, words].some((text) => /https?:\/\/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}[/:?"'\s]/i.test(text)),
  },
  {
    name: 'shouting',
    score: 1,
    isMet: ({ subject }) => /!!/.test(subject) && /\p{Lu}{4}/u.test(subject) && !/\p{Ll}/u.test(subject),
  },
];
