import { type Html, html } from '../../kit/html.ts';

const keywords =
  'const|let|await|async|new|return|if|else|for|of|in|import|from|export|function|def|class|not|and|or|with|as|raise|throw|try|except|catch|package|func|var|range|nil|None|True|False|true|false|null|echo|foreach|require|end|do|unless|puts|type|print';

/** Comments, strings, numbers and keywords, as most languages write them. A `#` or `//` inside a word or an address begins no comment. */
const token = new RegExp(
  [
    String.raw`(?<c>(?<=^|\s)(?:#(?![0-9a-f]{6})|\/\/)[^\n]*)`,
    String.raw`(?<s>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\x60(?:[^\x60\\]|\\.)*\x60)`,
    String.raw`(?<n>\b\d[\d_.]*\b)`,
    String.raw`(?<k>\b(?:${keywords})\b)`,
  ].join('|'),
  'gm',
);

/** Code with its parts marked for the style sheet: `c` comment, `s` string, `n` number, `k` keyword. Text shows as it is. */
export const highlight = (code: string, language: string): Html => {
  if (['text', 'http', 'csv', ''].includes(language)) return html`${code}`;
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: found, index, groups = {} } of code.matchAll(token)) {
    const [kind = ''] = Object.entries(groups).find(([, text]) => text !== undefined) ?? [];
    // In a shell, a quoted JSON body is one string over many lines; only its inside is worth colouring.
    parts.push(html`${code.slice(end, index)}<span class="${kind}">${found}</span>`);
    end = index + found.length;
  }
  return html`${parts}${code.slice(end)}`;
};
