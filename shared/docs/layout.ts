import { type Html, html, joined } from '../kit/html.ts';

/** Colours come from the system; a narrow window needs no rule of its own, because nothing has a width. */
const style = `
:root{color-scheme:light dark;background:Canvas;color:CanvasText;--line:color-mix(in srgb,currentColor 18%,transparent);--soft:color-mix(in srgb,currentColor 7%,transparent)}
body{margin:0 auto;padding:0 1rem 4rem;max-width:52rem;font:1rem/1.6 system-ui,sans-serif;overflow-wrap:break-word}
h1,h2,h3,h4{line-height:1.25;margin:2rem 0 .5rem}
h2{border-bottom:1px solid var(--line);padding-bottom:.25rem;margin-top:3rem}
h4{margin-top:1.25rem}
p,ul,dl{margin:.5rem 0}
code,pre{font:.875em/1.5 ui-monospace,monospace}
code{background:var(--soft);padding:.1em .3em;border-radius:.25em}
pre{background:var(--soft);padding:.75rem 1rem;border-radius:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}
dl>div{padding:.4rem 0}
dl>div+div{border-top:1px solid var(--line)}
dt{font-weight:600}
dd{margin:0 0 0 1rem}
ul{padding-left:1.25rem}
:target{scroll-margin-top:1rem;background:var(--soft)}
.skip:not(:focus){position:absolute;left:-99rem}
`.trim();

const pages = {
  '/': 'Start',
  '/docs': 'Messaging API',
  '/docs/additions': 'More of messaging',
  '/docs/checkout': 'Hosted checkout API',
  '/docs/webhooks': 'Webhooks',
  '/docs/errors': 'Errors',
  '/docs/admin': 'Admin API',
  '/docs/runbook': 'Runbook',
} as const;
export type DocsPath = keyof typeof pages;

/** A whole page: one style sheet inside, nothing loaded, no script. */
export const layout = ({
  path,
  title,
  contents,
  main,
}: {
  readonly path: DocsPath;
  readonly title: string;
  readonly contents: Html;
  readonly main: Html;
}): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="service-desc" type="application/json" href="/api/v1/openapi.json">
<style>${{ markup: style }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><h1>${title}</h1></header>
<nav aria-label="Contents"><p>${joined(
    Object.entries(pages).map(([at, name]) => (at === path ? html`<b>${name}</b>` : html`<a href="${at}">${name}</a>`)),
    ' · ',
  )}</p>
${contents}</nav>
<main id="main">${main}</main>
<footer><p><a href="/api/v1/openapi.json">OpenAPI description</a></p></footer>
</body>
</html>
`.markup;
