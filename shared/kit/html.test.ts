import { expect, it } from 'vitest';
import { html, joined, prose } from './html.ts';

it('html escapes all values except its own results', () => {
  const hostile = `<script>alert("1 & '2'")</script>`;
  const safe = '&lt;script&gt;alert(&quot;1 &amp; &#39;2&#39;&quot;)&lt;/script&gt;';
  expect(html`<p title="${hostile}">${hostile}</p>`.markup).toBe(`<p title="${safe}">${safe}</p>`);
  expect(html`${html`<b>${hostile}</b>`}`.markup).toBe(`<b>${safe}</b>`);
  expect(prose(`a \`${hostile}\` b`).markup).toBe(`a <code>${safe}</code> b`);
});

it('html inserts numbers and lists, and nothing for undefined values', () => {
  expect(html`${0}${undefined}${false}${['a', html`<i>b</i>`]}`.markup).toBe('0a<i>b</i>');
  expect(joined([html`a`, html`b`], ' & ').markup).toBe('a &amp; b');
});
