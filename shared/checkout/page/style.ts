import { createHash } from 'node:crypto';
import { inkOn } from '../branding.ts';

/**
 * The pages' one style sheet: system fonts, logical properties, light and dark. Targets are 44 px high (WCAG 2.2, 2.5.8 asks 24);
 * colours of text have a contrast of 4.5 at least, edges and focus rings of 3.
 */
export const style = `
:root{color-scheme:light dark;--page:#f3f5f7;--card:#fff;--ink:#15202b;--soft:#55626f;--line:#dde3e9;--edge:#808d9a;--action:#0b5cad;--action-ink:#fff;--tint:#eaf2fb;--good:#0b7548;--bad:#b3261e;--good-tint:#e3f4ec;--bad-tint:#fcebe9;--test:#ffe9a8;--test-ink:#4d3800}
@media(prefers-color-scheme:dark){:root{--page:#0e141a;--card:#172029;--ink:#eef2f6;--soft:#abb8c4;--line:#2d3945;--edge:#758493;--action:#8cc4ff;--action-ink:#06233f;--tint:#1d2c3b;--good:#63d69f;--bad:#ff9d92;--good-tint:#143327;--bad-tint:#43211f;--test:#463708;--test-ink:#ffe9a8}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{min-block-size:100vh;display:flex;flex-direction:column;background:var(--page);color:var(--ink);font:1rem/1.6 system-ui,"Noto Sans Bengali",sans-serif;overflow-wrap:anywhere}
.test{background:var(--test);color:var(--test-ink);text-align:center;padding:.375rem 1rem;font-size:.875rem;font-weight:600}
.bar,main,footer{inline-size:100%;max-inline-size:28rem;margin-inline:auto;padding-inline:1rem}
.bar{display:flex;align-items:center;justify-content:space-between;gap:1rem;padding-block:.75rem}
.brand{display:flex;align-items:center;gap:.75rem;font-weight:600}
.brand img{block-size:2.5rem;inline-size:auto;max-inline-size:8rem;object-fit:contain}
.ask{flex-wrap:wrap;margin-block-end:.5rem}
nav{flex:none;margin-inline-start:auto}
main>article{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.75rem 1.5rem;box-shadow:0 1px 2px #0000000d,0 8px 24px #0000000d}
h1{font-size:1.375rem;line-height:1.35;text-wrap:balance}
h2{font-size:1rem;margin-block:1.75rem .75rem}
p+p{margin-block-start:.5rem}
h1+:is(p,div:not(.sum)){margin-block-start:.375rem}
.soft{color:var(--soft)}
.small{font-size:.875rem;text-wrap:balance}
.sum{margin-block-start:1.25rem;padding-block-start:1.25rem;border-block-start:1px solid var(--line)}
.amount{font-size:2rem;line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums;letter-spacing:-.01em}
.amount:lang(bn){letter-spacing:0}
a{color:var(--action);text-underline-offset:.2em}
nav a,.away a,.ask a{display:inline-flex;align-items:center;min-block-size:2.75rem;min-inline-size:2.75rem}
nav a{justify-content:flex-end}
button,.action{display:flex;align-items:center;gap:.75rem;inline-size:100%;min-block-size:3.5rem;padding:.625rem 1rem;border:1px solid var(--edge);border-radius:.75rem;background:var(--card);color:inherit;font:inherit;font-weight:600;text-align:start;text-decoration:none;cursor:pointer;touch-action:manipulation}
button::after,.action::after{content:"";flex:none;inline-size:.5rem;block-size:.5rem;margin-inline:auto .25rem;border:solid;border-width:2px 2px 0 0;transform:rotate(45deg)}
[dir=rtl] :is(button,.action)::after{transform:rotate(-135deg)}
.action{background:var(--action);border-color:var(--action);color:var(--action-ink)}
button:hover{background:var(--tint)}
.action:hover{text-decoration:underline}
button.plain{min-block-size:2.75rem;font-weight:400}
button.plain::after{content:none}
:focus-visible{outline:3px solid var(--action);outline-offset:3px}
form+form,.action+form,form+.action,.actions>*+*,li+li{margin-block-start:.75rem}
.actions{margin-block-start:1.5rem}
ul{list-style:none;padding:0}
.icon{flex:none;inline-size:1.5rem;block-size:1.5rem;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
button .icon{color:var(--action)}
.mark{display:grid;place-items:center;inline-size:3rem;block-size:3rem;margin-block-end:1rem;border-radius:50%;background:var(--tint);color:var(--action)}
.mark .icon{inline-size:1.75rem;block-size:1.75rem}
.mark.good{color:var(--good);background:var(--good-tint)}
.mark.bad{color:var(--bad);background:var(--bad-tint)}
.mark.busy{background:none;border:3px solid var(--line);border-block-start-color:var(--action);animation:turn 1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.mark.busy{animation:none}}
dl{margin-block-start:1.25rem;font-size:.9375rem;border-block-start:1px solid var(--line)}
dl div{display:grid;grid-template-columns:minmax(5.5rem,28%) 1fr;gap:1rem;padding-block:.625rem;border-block-end:1px solid var(--line)}
.items div{grid-template-columns:1fr auto}
dt{color:var(--soft)}
dd{margin:0;font-weight:500}
.away{margin-block-start:1rem}
footer{margin-block:1.25rem 2rem;color:var(--soft);font-size:.875rem}
footer p{display:flex;gap:.5rem}
footer .icon{inline-size:1.25rem;block-size:1.25rem}
@media(min-width:40rem){main{margin-block-start:4vh}main>article{padding:2.25rem}}
@media(forced-colors:active){button,.action,.mark{border:1px solid}}
@media print{nav,footer,.away,.actions{display:none}main>article{border:0;box-shadow:none}}
`.trim();

/** The style sheet for a merchant's colour, which marks the page's upper edge and its main button. Text and links keep theirs. */
export const styleWith = (color: string | null): string =>
  color === null
    ? style
    : `${style}
header{border-block-start:.25rem solid ${color}}.action{background:${color};border-color:var(--edge);color:${inkOn(color)}}`;

const version = createHash('sha256').update(style).digest('hex').slice(0, 12);

/** Where the style sheet is. The address changes with it, so that it may be kept for good. */
export const stylePath = (color: string | null): string =>
  `/checkout/style.css?v=${version}${color === null ? '' : `&color=${color.slice(1)}`}`;

/** The colour in such an address. */
export const colorIn = ({ color }: { readonly color?: string | undefined }): string | null =>
  color !== undefined && /^[0-9a-f]{6}$/.test(color) ? `#${color}` : null;
