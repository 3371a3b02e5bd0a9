/** Tags inside of words: `via<b></b>gra` shows one word. */
const inlineTag =
  /<\/?(?:a|abbr|b|bdi|bdo|big|cite|code|del|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr)(?=[\s/>])[^<>]*>/gi;
const otherTag = /<[^<>]*>/g;
const reference = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));?/gi;
const named: Readonly<Record<string, string>> = {
  nbsp: ' ',
  amp: '&',
  quot: '"',
  apos: "'",
  shy: '',
  zwj: '',
  zwnj: '',
};

/** The characters of references, except those that would be markup. */
export const readReferences = (html: string): string =>
  html.replace(reference, (written, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? written;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : written;
    return character === '<' || character === '>' ? written : character;
  });

/** Ends a comment where browsers do: `<!-->` is one. */
const withoutComments = (html: string): string => {
  let [kept, at] = ['', 0];
  for (;;) {
    const start = html.indexOf('<!--', at);
    if (start < 0) return kept + html.slice(at);
    kept += html.slice(at, start);
    const end = html.indexOf('-->', start + 2);
    if (end < 0) return kept;
    at = end + 3;
  }
};

/**
 * The text that a person sees of HTML, and again as it is without its tags: what stands in an attribute or a style looks like the beginning of a
 * comment, and must not hide the rest.
 */
export const visibleTextOf = (html: string): string =>
  [withoutComments(html).replace(inlineTag, ''), html]
    .map((text) => readReferences(text.replace(otherTag, ' ')))
    .join(' ');

/** Letters in other forms: mathematical, in circles, of full width. */
const otherForms = /[\u2100-\u24FF\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/gu;

/**
 * Text as it reads: without characters that nobody sees, letters in their plain forms, in lower case, with single spaces. Each character is
 * normalized by itself: runs of combining marks take time by the square of their length.
 */
export const asRead = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(otherForms, (letter) => letter.normalize('NFKC'))
    .replace(/\s+/g, ' ')
    .toLowerCase();
