import { type DocsPage, headingsOf } from './docs-page.ts';
import { synonyms } from './search-synonyms.ts';
import { wordsIn } from './search-words.ts';

/** What a search finds: the section, its page, where it is, its words, and what else people call it. */
export type Found = readonly [title: string, page: string, href: string, words: string, alsoCalled?: string];

/** At least what a result shows, in characters. */
const shownLength = 160;

/** Lists that name what other pages explain: of them, every endpoint would be found. */
const references = /<h4>Errors<\/h4>\n<ul>.*?<\/ul>|<dt>Where<\/dt><dd>.*?<\/dd>/gs;

const plainOf = (markup: string): string =>
  markup
    .replaceAll(/<pre.*?<\/pre>/gs, ' ')
    .replaceAll(references, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The beginning of a text as it is, and of the rest each word once: a field at the end of a long section is found too. */
const wordsOf = (text: string): string => {
  if (text.length <= shownLength) return text;
  const end = text.lastIndexOf(' ', shownLength);
  const shown = text.slice(0, end);
  const known = new Set(wordsIn(shown));
  // Words of two letters are parts of others, which a search finds too.
  return [shown, ...new Set(wordsIn(text.slice(end)).filter((word) => word.length > 2 && !known.has(word)))].join(' ');
};

const withSynonyms = ([title, page, href, words]: Found): Found => {
  const alsoCalled = synonyms[href];
  return alsoCalled === undefined ? [title, page, href, words] : [title, page, href, words, alsoCalled];
};

/** One entry for each page, and one for each of its sections. */
export const searchIndex = (pages: readonly DocsPage[]): Found[] =>
  pages.flatMap((page) => {
    const { path, title, main } = page;
    const parts = main.markup.split(/(?=<h[23] id=")/);
    const words = (part = ''): string => wordsOf(plainOf(part.replace(/^<h[23].*?<\/h[23]>/s, '')));
    const sections = headingsOf(page).map(({ id, text }): Found => {
      const part = parts.find((each) => each.includes(` id="${id}">`));
      return withSynonyms([plainOf(text), title, `${path}#${id}`, words(part)]);
    });
    return [withSynonyms([title, '', path, words(parts[0])]), ...sections];
  });
