import { createHash } from 'node:crypto';
import { inkOn } from '../branding.ts';

/**
 * The pages' one style sheet: system fonts, logical properties, light and dark. Its layout is made of what phones of 2018 know: longhands such as
 * `margin-inline-start`, and no `:is()`, which makes all of a rule void. Targets are 44 px high (WCAG 2.2, 2.5.8 asks 24);
 * colours of text have a contrast of 4.5 at least, edges and focus rings of 3.
 */
export const style = `
:root{color-scheme:light dark;--page:#f3f5f7;--card:#fff;--ink:#15202b;--soft:#55626f;--line:#dde3e9;--edge:#808d9a;--action:#0b5cad;--action-ink:#fff;--tint:#eaf2fb;--good:#0b7548;--bad:#b3261e;--good-tint:#e3f4ec;--bad-tint:#fcebe9;--test:#ffe9a8;--test-ink:#4d3800}
@media(prefers-color-scheme:dark){:root{--page:#0e141a;--card:#172029;--ink:#eef2f6;--soft:#abb8c4;--line:#2d3945;--edge:#758493;--action:#8cc4ff;--action-ink:#06233f;--tint:#1d2c3b;--good:#63d69f;--bad:#ff9d92;--good-tint:#143327;--bad-tint:#43211f;--test:#463708;--test-ink:#ffe9a8}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{min-block-size:100vh;display:flex;flex-direction:column;background:var(--page);color:var(--ink);font:1rem/1.6 system-ui,"Noto Sans Bengali",sans-serif;overflow-wrap:break-word;overflow-wrap:anywhere}
.test{background:var(--test);color:var(--test-ink);text-align:center;padding:.375rem 1rem;font-size:.875rem;font-weight:600}
.bar,main,footer{inline-size:100%;max-inline-size:28rem;margin:0 auto;padding:0 1rem}
.bar{display:flex;align-items:center;justify-content:space-between;gap:1rem;padding:.75rem 1rem}
.brand{display:flex;align-items:center;font-weight:600}
.brand img{block-size:2.5rem;inline-size:auto;max-inline-size:8rem;margin-inline-end:.75rem;object-fit:contain}
nav{flex:none;margin-inline-start:auto}
main>article{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.75rem 1.5rem;box-shadow:0 1px 2px #0000000d,0 8px 24px #0000000d}
h1{font-size:1.375rem;line-height:1.35;text-wrap:balance}
p+p{margin-block-start:.5rem}
h1+:not(.sum){margin-block-start:.375rem}
.soft{color:var(--soft)}
.small{font-size:.875rem;text-wrap:balance}
.sum{margin-block-start:1.25rem;padding-block-start:1.25rem;border-block-start:1px solid var(--line)}
.due{display:block;color:var(--soft);font-size:1rem;font-weight:400}
.amount{display:block;font-size:min(2.25rem,9vw);line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums;white-space:nowrap}
.amount.long{font-size:min(1.75rem,6vw)}
.safe{display:flex;margin-block-start:.5rem;color:var(--soft);font-size:.875rem;line-height:1.45}
.safe .icon{inline-size:1.25rem;block-size:1.25rem;margin-inline-end:.5rem;color:var(--good)}
.for{margin-block-start:.75rem}
form{margin-block-start:1.5rem}
@media(min-width:60rem){body:has(.beside) .bar,body:has(.beside) main,body:has(.beside) footer{max-inline-size:60rem}article:has(.beside){display:grid;grid-template-columns:1fr 1fr;gap:3.5rem}.beside form{margin-block-start:0}}
fieldset{border:0;padding:0;min-inline-size:0}
legend{padding:0;margin-block-end:.75rem;font-weight:600}
label{display:grid;grid-template-columns:auto 1fr auto;align-items:center;gap:.25rem .75rem;min-block-size:3.5rem;padding:.625rem 1rem;border:1px solid var(--edge);cursor:pointer;touch-action:manipulation}
label+label{margin-block-start:-1px}
label:first-of-type{border-top-left-radius:.75rem;border-top-right-radius:.75rem}
label:last-of-type{border-bottom-left-radius:.75rem;border-bottom-right-radius:.75rem}
label:hover,label:active{background:var(--tint)}
label:has(:checked){background:var(--tint);position:relative;border-color:var(--action);box-shadow:inset 0 0 0 1px var(--action)}
@media(max-width:25rem){label:has(small) .known{grid-column:2}}
label bdi{font-weight:600}
small{display:block;color:var(--soft);font-size:.875rem;line-height:1.45}
input{flex:none;inline-size:1.25rem;block-size:1.25rem;margin:0;accent-color:var(--action)}
.known{display:flex;flex:none;gap:.375rem;color:var(--soft)}
.brand-mark{inline-size:2.375rem;block-size:1.5rem}
.brand-name{padding:0 .5rem;border:1px solid var(--line);border-radius:.25rem;background:#fff;color:#b8124a;font-size:.875rem;font-weight:700}
.problem{margin-block-end:1.25rem;padding:1rem;border:2px solid var(--bad);border-radius:.75rem}
.problem h2{font-size:1rem}
.problem a{display:inline-flex;align-items:center;min-block-size:2.75rem;color:var(--bad);font-weight:600}
a{color:var(--action);text-underline-offset:.2em}
nav a,.away a,.ask a{display:inline-flex;align-items:center;min-block-size:2.75rem;min-inline-size:2.75rem}
nav a{justify-content:flex-end}
button,.action{display:flex;align-items:center;gap:.75rem;inline-size:100%;min-block-size:3.5rem;padding:.625rem 1rem;border:1px solid var(--edge);border-radius:.75rem;background:var(--card);color:inherit;font:inherit;font-weight:600;text-align:start;text-decoration:none;cursor:pointer;touch-action:manipulation}
button::after,.action::after{content:"";flex:none;inline-size:.5rem;block-size:.5rem;margin-inline-start:auto;margin-inline-end:.25rem;border:solid;border-width:2px 2px 0 0;transform:rotate(45deg)}
.action{background:var(--action);border-color:var(--action);color:var(--action-ink)}
.action:hover{text-decoration:underline}
button:active,.action:active{transform:translateY(1px);filter:brightness(.92)}
.pay{margin-block-start:1.25rem;justify-content:center;text-align:center;overflow-wrap:normal}
.pay::after{content:none}
[aria-busy] button{cursor:progress;opacity:.75}
[aria-busy] .pay::after{content:"";inline-size:1.125rem;block-size:1.125rem;margin:0;border:2px solid;border-block-start-color:transparent;border-radius:50%;animation:turn 1s linear infinite}
button.plain{display:inline-flex;inline-size:auto;min-block-size:2.75rem;padding:.625rem 0;border:0;background:none;color:var(--action);font-weight:400;text-decoration:underline;text-underline-offset:.2em}
button.plain::after{content:none}
.plain:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--action);outline-offset:3px}
.actions{margin-block-start:1.5rem}
.actions+form{margin-block-start:.75rem}
.away+form{margin-block-start:0}
.icon{flex:none;inline-size:1.5rem;block-size:1.5rem;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.mark{display:grid;place-items:center;inline-size:3rem;block-size:3rem;margin-block-end:1rem;border-radius:50%;background:var(--tint);color:var(--action)}
.mark .icon{inline-size:1.75rem;block-size:1.75rem}
.mark.good{color:var(--good);background:var(--good-tint)}
.mark.bad{color:var(--bad);background:var(--bad-tint)}
.mark.busy{background:none;border:3px solid var(--line);border-block-start-color:var(--action);animation:turn 1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){*,::after{animation:none!important}}
dl{margin-block-start:1.25rem;font-size:.9375rem;border-block-start:1px solid var(--line)}
dl div{display:grid;grid-template-columns:minmax(5.5rem,28%) 1fr;gap:1rem;padding:.625rem 0;border-block-end:1px solid var(--line)}
.items div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
.items dd{margin-inline-start:auto;white-space:nowrap;font-variant-numeric:tabular-nums}
.items dt{color:inherit}
summary{display:flex;align-items:center;justify-content:space-between;gap:1rem;min-block-size:2.75rem;color:var(--action);font-size:.9375rem;cursor:pointer}
summary span:first-child{text-decoration:underline;text-underline-offset:.2em}
[open] summary span+span{display:none}
details dl{margin-block-start:0}
.id{overflow-wrap:normal;font-variant-numeric:tabular-nums}
.id span{display:inline-block;margin-inline-end:.375em}
dt{color:var(--soft)}
dd{margin:0;font-weight:500}
.away{margin-block-start:1rem}
footer{margin:1.25rem auto 2rem;color:var(--soft);font-size:.875rem}
.ask{display:flex;flex-wrap:wrap;align-items:center}
.ask>*{margin-inline-end:.75rem}
@media(min-width:40rem){main{margin-block-start:4vh}main>article{padding:2.25rem}}
@media(max-width:15rem){.bar,main,footer{padding-left:.5rem;padding-right:.5rem}main>article{padding:1rem}label .known{grid-column:2;flex-wrap:wrap}dl div{grid-template-columns:1fr;gap:0}}
@media(forced-colors:active){label,button,.action,.mark{border:1px solid}}
@media print{@supports selector(::details-content){summary{display:none}details::details-content{content-visibility:visible}details dl{border:0}}:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#333;--good:#000}nav,.safe,.away,.actions,form,.mark{display:none}.bar,main,footer{max-inline-size:none;padding:0}main>article{border:0;box-shadow:none;padding:1rem 0}dl div{break-inside:avoid}a{color:inherit;text-decoration:none}}
`.trim();

/** The style sheet for a merchant's colour, which marks the page's upper edge and its main button. Text and links keep theirs. */
export const styleWith = (color: string | null): string =>
  color === null
    ? style
    : `${style}
header{border-block-start:.25rem solid ${color}}.action{background:${color};border-color:var(--edge);color:${inkOn(color)}}`;

export const styleVersion = createHash('sha256').update(style).digest('hex').slice(0, 12);

/** Where the style sheet is. The address changes with it, so that it may be kept for good. */
export const stylePath = (color: string | null): string =>
  `/checkout/style.css?v=${styleVersion}${color === null ? '' : `&color=${color.slice(1)}`}`;

/** The colour in such an address. */
export const colorIn = ({ color }: { readonly color?: string | undefined }): string | null =>
  color !== undefined && /^[0-9a-f]{6}$/.test(color) ? `#${color}` : null;
