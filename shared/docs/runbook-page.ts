import { html, prose } from '../kit/html.ts';
import { layout } from './layout.ts';
import { runbook } from './runbook.ts';

/** What each alarm means, what to look at and what to run. The alarms link to its sections. */
export const runbookPage = (): string => {
  const entries = Object.entries(runbook);
  return layout({
    path: '/docs/runbook',
    title: 'Runbook',
    contents: html`<ul>
${entries.map(([anchor, { title }]) => html`<li><a href="#${anchor}">${title}</a></li>\n`)}
</ul>`,
    main: html`<p>For operators. Each alarm is told by email when it begins and when it ends, to the address of the setting <code>ALARM_EMAIL</code>, and links to its section.</p>
${entries.map(
  ([anchor, { title, means, look, run }]) =>
    html`<section>
<h2 id="${anchor}">${title}</h2>
<dl>
<div><dt>What it means</dt><dd>${prose(means)}</dd></div>
<div><dt>What to look at</dt><dd>${prose(look)}</dd></div>
<div><dt>What to run</dt><dd>${prose(run)}</dd></div>
</dl>
</section>
`,
)}`,
  });
};
