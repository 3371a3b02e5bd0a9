import { type DocsPage, headingsOf } from './docs-page.ts';

/** What a search finds: the section, its page, where it is, and its words. */
export type Found = readonly [title: string, page: string, href: string, words: string];

const longest = 700;

const plainOf = (markup: string): string =>
  markup
    .replaceAll(/<pre.*?<\/pre>/gs, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim();

/** One entry for each page, and one for each of its sections. */
export const searchIndex = (pages: readonly DocsPage[]): Found[] =>
  pages.flatMap((page) => {
    const { path, title, main } = page;
    const parts = main.markup.split(/(?=<h[23] id=")/);
    const words = (part = ''): string => plainOf(part.replace(/^<h[23].*?<\/h[23]>/s, '')).slice(0, longest);
    const sections = headingsOf(page).map(({ id, text }): Found => {
      const part = parts.find((each) => each.includes(` id="${id}">`));
      return [plainOf(text), title, `${path}#${id}`, words(part)];
    });
    return [[title, '', path, words(parts[0])] as const, ...sections];
  });
