/**
 * Keywords of inbound messages: all that Twilio, AWS End User Messaging and Telnyx act on, without accents, and what Meta writes on the button
 * of a marketing template. YES means START, as it does there.
 */
const keywords = {
  stop: [
    'stop',
    'stopall',
    'stop all',
    'unsubscribe',
    'end',
    'quit',
    'cancel',
    'revoke',
    'remove',
    'optout',
    'opt out',
    'arret',
    'td',
    'stop promotions',
  ],
  start: ['start', 'unstop', 'yes'],
  help: ['help', 'info'],
} as const satisfies Record<string, readonly string[]>;

export type Keyword = keyof typeof keywords;

const meanings = new Map<string, Keyword>([
  ...keywords.stop.map((word) => [word, 'stop'] as const),
  ...keywords.start.map((word) => [word, 'start'] as const),
  ...keywords.help.map((word) => [word, 'help'] as const),
]);

/** Keywords that buttons bear for other reasons, such as the cancelling of an order or the first step of a conversation: what is chosen there is no wish to opt out or in. */
const everydayWords: ReadonlySet<string> = new Set(['end', 'quit', 'cancel', 'revoke', 'remove', 'td', 'yes', 'start']);

/** Longer than any keyword with its surroundings. */
const longest = 100;
/** With the spaces around it: no sms and no whatsapp message is longer. A keyword is kept as it was written. */
const longestText = 4_096;

/**
 * The request of an inbound message that consists of a keyword only. Case, accents, spaces and punctuation are ignored. "Please stop" is
 * not a keyword, so a person must read it. `isChosen`: it stood on a button or in a list.
 */
export const keywordIn = (text: string, { isChosen = false } = {}): Keyword | undefined => {
  const trimmed = text.trim();
  if (text.length > longestText || trimmed.length > longest) return undefined;
  const words = trimmed
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const phrase = words.join(' ');
  return isChosen && everydayWords.has(phrase) ? undefined : meanings.get(phrase);
};
