import type { DocsPage } from './docs-page.ts';

/** Addresses that pages link to but that do not exist, as sentences. */
export const brokenLinks = (pages: readonly DocsPage[], others: ReadonlySet<string>): string[] => {
  const ids = new Map(
    pages.map((page) => [
      page.path as string,
      new Set([...page.main.markup.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)),
    ]),
  );
  return pages.flatMap((page) =>
    [...page.main.markup.matchAll(/\shref="([^"]*)"/g)].flatMap(([, href = '']) => {
      if (/^https:\/\//.test(href)) return [];
      const [path = '', id] = href.split('#');
      const target = path || page.path;
      const isThere = ids.has(target) ? id === undefined || ids.get(target)?.has(id) : others.has(target);
      return isThere ? [] : [`${page.path} links to ${href}`];
    }),
  );
};
