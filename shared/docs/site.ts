import { icon } from '../http/icon.ts';
import { digest, type Page, pageHeaders } from '../http/page.ts';
import type { StoredFile } from '../http/site.ts';
import { InternalError } from '../kit/internal-error.ts';
import type { DocsPage } from './docs-page.ts';
import { guideOf } from './guide.ts';
import { includes } from './includes.ts';
import { type Assets, layout } from './layout.ts';
import { overviewPage } from './overview-page.ts';
import { markdownOf } from './plain-markdown.ts';
import { searchIndex } from './search-index.ts';
import { type DocsPath, markdownPath, siteMap, siteOrder } from './site-map.ts';

/** What the documentation is made of beside the contracts: guides by name, and what browsers load. */
export interface SiteSources {
  readonly guides: Readonly<Record<string, string>>;
  readonly style: string;
  readonly script: string;
}

/** Compresses a text as HTTP's `gzip`, in base64. */
export type Compress = (text: string) => string;

const guidePath = (name: string): DocsPath => {
  const found = siteOrder.find(({ path }) => path === `/docs/${name}`);
  if (!found) throw new InternalError('A guide is not in the navigation', { name });
  return found.path;
};

/** All pages in the order of the navigation. */
export const pagesOf = (references: readonly DocsPage[], { guides }: SiteSources): DocsPage[] => {
  const others = [
    ...references,
    ...Object.entries(guides).map(([name, text]) => guideOf(guidePath(name), text, includes)),
  ];
  const all = [overviewPage(inOrder(others)), ...others];
  const missing = siteOrder.filter(({ path }) => !all.some((page) => page.path === path));
  if (missing.length > 0)
    throw new InternalError('The navigation has an address without a page', {
      paths: missing.map(({ path }) => path).join(', '),
    });
  return inOrder(all);
};

const inOrder = (pages: readonly DocsPage[]): DocsPage[] =>
  siteOrder.flatMap(({ path }) => pages.filter((page) => page.path === path));

/** Every file of the site by its path, compressed. */
export const filesOf = (
  pages: readonly DocsPage[],
  { style, script }: SiteSources,
  documents: Readonly<Record<string, string>>,
  compress: Compress,
): Record<string, StoredFile> => {
  const named = (name: string, text: string, end: string): string =>
    `/docs/assets/${name}.${digest(text).replaceAll(/\W/g, '').slice(0, 10)}.${end}`;
  const assets: Assets = { style: named('docs', style, 'css'), script: named('docs', script, 'js') };
  const llms = llmsOf(pages);
  const texts: Record<string, Page> = {
    ...Object.fromEntries(pages.map((page) => [page.path, { type: 'text/html', text: layout(page, assets) }])),
    ...Object.fromEntries(
      pages.map((page) => [markdownPath(page.path), { type: 'text/markdown', text: markdownOf(page) }]),
    ),
    '/favicon.ico': { type: 'image/svg+xml', text: icon, freshSeconds: 86_400 },
    '/docs/missing': { type: 'text/html', text: layout(missingPage, assets) },
    '/docs/search.json': { type: 'application/json', text: JSON.stringify(searchIndex(pages)) },
    '/docs/llms.txt': { type: 'text/plain', text: llms },
    '/llms.txt': { type: 'text/plain', text: llms },
    [assets.style]: { type: 'text/css', text: style, isVersioned: true },
    [assets.script]: { type: 'text/javascript', text: script, isVersioned: true },
    ...Object.fromEntries(
      Object.entries(documents).map(([path, text]) => [path, { type: 'application/json', text }] as const),
    ),
  };
  return Object.fromEntries(
    Object.entries(texts).map(([path, page]) => [path, { headers: pageHeaders(page), gzip: compress(page.text) }]),
  );
};

/** Answers an address that the site does not have. */
const missingPage: DocsPage = {
  path: '/',
  title: 'Page not found',
  summary: 'The documentation has no page at this address.',
  main: {
    markup: '<p>The documentation has no page at this address. Search, or begin at the <a href="/">overview</a>.</p>',
  },
};

/** The list of pages for language models (llmstxt.org). */
const llmsOf = (pages: readonly DocsPage[]): string => {
  const [overview] = pages;
  const groups = Object.entries<Readonly<Record<string, string>>>(siteMap).map(([group, names]) => {
    const links = pages
      .filter(({ path }) => path in names)
      .map(({ path, title, summary }) => `- [${title}](${markdownPath(path)}): ${summary}`);
    return `## ${group}\n\n${links.join('\n')}`;
  });
  return `# ${overview?.title}\n\n> ${overview?.summary}\n\n${groups.join('\n\n')}\n`;
};
