import { parseInline } from 'marked';
import { type Html, html } from '../kit/html.ts';
import type { DocsPage } from './docs-page.ts';
import { type RunbookEntry, runbook } from './runbook.ts';
import { siteMap } from './site-map.ts';

const inline = (text: string): Html => ({ markup: parseInline(text, { async: false }) });

/** What each alarm means, what to look at and what to run. The alarms link to its sections. */
export const runbookPage = (): DocsPage => ({
  path: '/docs/runbook',
  title: 'Runbook',
  summary: 'For operators: what each alarm means, what to look at and what to run.',
  main: html`<p>For operators. Each alarm is sent by email when it begins and when it ends, to the address of the setting <code>ALARM_EMAIL</code>, and links to its section.</p>
${Object.entries<RunbookEntry>(runbook).map(
  ([anchor, { title, means, look, run, more }]) =>
    html`<section>
<h2 id="${anchor}">${title}</h2>
<dl>
<div><dt>What it means</dt><dd>${inline(means)}</dd></div>
<div><dt>What to look at</dt><dd>${inline(look)}</dd></div>
<div><dt>What to run</dt><dd>${inline(run)}${more && html` See <a href="${more}">${siteMap.Operations[more]}</a>.`}</dd></div>
</dl>
</section>
`,
)}`,
});
