import { createHash } from 'node:crypto';
import type { Reply } from './local-server.ts';
import { html, type Markup } from './markup.ts';

const style = `
:root {
  color-scheme: light dark;
  --ground: #f6f6f3; --sheet: #fff; --ink: #1d1f23; --quiet: #5c6270; --line: #e1e1db; --accent: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #15171b; --sheet: #1e2126; --ink: #e8e9eb; --quiet: #a3a9b5; --line: #343941; --accent: #8dc0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header, main { max-width: 52rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
header { padding-bottom: 0; color: var(--quiet); }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 2rem 0 .5rem; font-size: 1rem; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.mails { margin: 0; padding: 0; list-style: none; }
.mails a, .sheet, dl, pre {
  display: block; margin: 0 0 .5rem; padding: .75rem 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem;
}
.mails a { color: inherit; text-decoration: none; }
.mails a:hover { border-color: var(--accent); }
.mails strong, .mails span, .mails time { display: block; }
.mails span, .mails time, dt { color: var(--quiet); font-size: .875rem; }
dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: .25rem 1rem; }
dt { padding-top: .125rem; }
dd { margin: 0; }
.sheet p { margin: .5rem 0; }
pre { white-space: pre-wrap; font: .875rem/1.5 ui-monospace, monospace; }
iframe { width: 100%; height: 24rem; resize: vertical; background: #fff; border: 1px solid var(--line); border-radius: .5rem; }
summary { margin: 2rem 0 .5rem; font-weight: bold; cursor: pointer; }
@media (min-width: 40rem) {
  .mails a { display: grid; grid-template-columns: minmax(0, 1fr) max-content; gap: 0 1rem; }
  .mails span { grid-column: 1; }
  .mails time { grid-area: 1 / 2; }
}
`;

/** Blocks scripts, forms and remote content, in case a mail injects some into the page. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page of the inbox. With `refreshSeconds` it reloads. */
export function page(title: string, main: Markup, refreshSeconds?: number): Reply {
  const refresh = refreshSeconds ? html`<meta http-equiv="refresh" content="${String(refreshSeconds)}">` : html``;
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh}
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{ markup: style }}</style>
</head>
<body>
<header><a href="/">All emails</a> · <a href="/phones">All texts</a> · caught on this machine, not sent</header>
<main>${main}</main>
</body>
</html>`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
    },
    body: markup,
  };
}
