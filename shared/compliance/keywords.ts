/**
 * What a recipient can say with a whole message: all the words that Twilio, AWS End User Messaging and Telnyx act on, with accents left out.
 * YES starts, as it does there.
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

/** No keyword is anywhere near as long, whatever stands around it. */
const longest = 100;

/**
 * What an inbound message asks for, if the whole of it is a keyword: letter case, accents, blanks and punctuation around and between its words
 * count for nothing. "Please stop" is none: what is not said in so many words is for a person to read.
 */
export const keywordIn = (text: string): Keyword | undefined => {
  if (text.length > longest) return undefined;
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return meanings.get(words.join(' '));
};
