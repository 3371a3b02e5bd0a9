import { type Html, html } from '../kit/html.ts';
import { type DocsPage, headingsOf } from './docs-page.ts';
import { type DocsPath, markdownPath, siteMap, siteOrder } from './site-map.ts';

/** The addresses of what every page loads. */
export interface Assets {
  readonly style: string;
  readonly script: string;
}

const fullMessagingDescription = '/api/v1/openapi-full.json';

/** The OpenAPI document that a page is about, where it is not the full one of messaging. */
const descriptions: Readonly<Partial<Record<DocsPath, string>>> = {
  '/docs': '/api/v1/openapi.json',
  '/docs/checkout': '/v1/openapi.json',
  '/docs/payments': '/v1/openapi.json',
  '/docs/refunds': '/v1/openapi.json',
  '/docs/branding': '/admin/v1/openapi.json',
  '/docs/gateways': '/admin/v1/openapi.json',
  '/docs/dashboard': '/admin/v1/openapi.json',
  '/docs/admin': '/admin/v1/openapi.json',
};

/** A whole page: a style sheet and a script of our own, and nothing else. */
export const layout = (page: DocsPage, { style, script }: Assets): string => {
  const { path, title, summary, main, isWide } = page;
  const description = descriptions[path] ?? fullMessagingDescription;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<meta name="description" content="${summary.replaceAll('`', '')}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="${markdownPath(path)}">
<link rel="service-desc" type="application/json" href="${description}">
<link rel="stylesheet" href="${style}">
<script src="${script}"></script>
</head>
<body${isWide && { markup: ' class="wide"' }}>
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="home" href="/">Docs</a>
<div id="search"></div>
<a href="/dashboard">Dashboard</a>
<a class="menu" href="#nav">Menu</a>
</header>
<nav id="nav" aria-label="Documentation">
<a class="close" href="#main">Close</a>
${Object.entries(siteMap).map(([group, pages]) => groupOf(group, pages, page))}
</nav>
<main id="main">
<h1>${title}</h1>
${main}
${neighbours(path)}
</main>
${isWide ? '' : onThisPage(page)}
<footer><p><a href="${markdownPath(path)}">This page as Markdown</a> · <a href="/docs/llms.txt">llms.txt</a> · <a href="${description}">OpenAPI description</a></p></footer>
</body>
</html>
`.markup;
};

const groupOf = (group: string, pages: Readonly<Record<string, string>>, page: DocsPage): Html =>
  html`<p class="group">${group}</p>
<ul aria-label="${group}">${Object.entries(pages).map(([path, name]) =>
    path === page.path
      ? html`<li><a href="${path}" aria-current="page">${name}</a>${page.isWide && contentsOf(page)}</li>\n`
      : html`<li><a href="${path}">${name}</a></li>\n`,
  )}</ul>
`;

/** A reference has its contents in the navigation, because its code has the place beside the text. */
const contentsOf = (page: DocsPage): Html =>
  html`<ul>${headingsOf(page)
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => html`<li><a href="#${id}">${{ markup: text }}</a></li>\n`)}</ul>`;

const onThisPage = (page: DocsPage): Html => {
  const headings = headingsOf(page);
  if (headings.length < 2) return html``;
  return html`<aside aria-label="On this page"><p>On this page</p>
<ul>${headings.map(({ level, id, text }) => html`<li${level === 3 && { markup: ' class="sub"' }}><a href="#${id}">${{ markup: text }}</a></li>\n`)}</ul></aside>`;
};

/** The pages before and after this one in the navigation. */
const neighbours = (path: DocsPath): Html => {
  const at = siteOrder.findIndex((each) => each.path === path);
  const [before, after] = [siteOrder[at - 1], siteOrder[at + 1]];
  return html`<p class="neighbours">${before && html`<a rel="prev" href="${before.path}">← ${before.name}</a>`}
${after && html`<a rel="next" href="${after.path}">${after.name} →</a>`}</p>`;
};
