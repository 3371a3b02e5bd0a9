/** A message as the rules read it. */
export interface Scanned {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** All that is shown: subject, HTML without its tags, and text; in lower case, with single blanks. */
  readonly words: string;
}

export interface SpamRule {
  readonly name: string;
  readonly score: number;
  readonly isMet: (message: Scanned) => boolean;
}

/** The score from which a message is not sent. No rule but the test string reaches it alone, nor do any two. */
export const spamThreshold = 6;

/** The test string of SpamAssassin, which every scanner blocks (spamassassin.apache.org/gtube). */
const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';

const said =
  (...phrases: readonly string[]): SpamRule['isMet'] =>
  ({ words }) =>
    phrases.some((phrase) => words.includes(phrase));

/**
 * What hardly any honest message says or does. Patterns have no repetition inside a repetition and none without an end, so that a text of any
 * size is read once.
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
    isMet: said('next of kin', 'unclaimed inheritance', 'inheritance fund', 'unclaimed fund', 'atm card worth'),
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
    isMet: said('strictly confidential', 'utmost confidentiality', 'keep this confidential', 'reply urgently'),
  },
  {
    name: 'lottery',
    score: 2.5,
    isMet: said('you have won the lottery', 'lottery winner', 'your email was selected', 'claim your winnings'),
  },
  {
    name: 'blackmail',
    score: 2.5,
    isMet: said('recorded you through your webcam', 'access to your webcam', 'adult sites', 'compromising video'),
  },
  {
    name: 'coins-demanded',
    score: 2.5,
    isMet: said(
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
    isMet: said('no prescription needed', 'no prescription required', 'without prescription'),
  },
  {
    /** A mail has no use for one: what is typed into it goes to a stranger. */
    name: 'password-field',
    score: 2.5,
    isMet: ({ html }) => /<input[^<>]{0,500}type ?= ?["']?password/i.test(html),
  },
  {
    name: 'script-link',
    score: 2.5,
    isMet: ({ html }) => /href ?= ?["']? ?(javascript|vbscript|data):/i.test(html),
  },
  {
    name: 'link-to-number',
    score: 2,
    isMet: ({ html, words }) =>
      [html, words].some((text) => /https?:\/\/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}[/:?"'\s]/i.test(text)),
  },
  {
    name: 'shouting',
    score: 1,
    isMet: ({ subject }) => /!!/.test(subject) && /\p{Lu}{4}/u.test(subject) && !/\p{Ll}/u.test(subject),
  },
];
