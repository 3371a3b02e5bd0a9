import { Marked, Renderer, type Tokens } from 'marked';
import { escapeHtml, type Html } from '../kit/html.ts';
import { InternalError } from '../kit/internal-error.ts';
import { codeBlock, codeTabs, jsonBlock } from './code/block.ts';
import { parseCall } from './code/call.ts';
import { samplesOf } from './code/samples.ts';
import type { DocsPage } from './docs-page.ts';
import { scrollingTable } from './scrolling-table.ts';
import type { DocsPath } from './site-map.ts';

/** Parts of guides that are printed from what the code runs with: `::name` on a line of its own. */
export type Includes = Readonly<Record<string, Html>>;

const include = /^::([\w-]+)(?:\n|$)/;

const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

const plain = (text: string): string => text.replaceAll('`', '');

/**
 * A guide. Its Markdown begins with the title and one sentence of summary. In it, a block of the language `call` is a request, shown in every
 * language (`parseCall`), and a line `::name` is one of the includes.
 */
export const guideOf = (path: DocsPath, markdown: string, includes: Includes): DocsPage => {
  const [, title = '', summary = '', text = ''] = /^# ([^\n]+)\n\n([^\n]+)\n(.*)$/s.exec(markdown) ?? [];
  if (!title) throw new InternalError('A guide does not begin with a title and a summary', { path });
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }: Tokens.Heading) {
        return `<h${depth} id="${anchorOf(plain(heading))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code: ({ text: code, lang = '' }: Tokens.Code) => block(code, lang).markup,
      table(token: Tokens.Table) {
        const heads = token.header.map(({ text: head }) => plain(head));
        return scrollingTable(heads, { markup: Renderer.prototype.table.call(this, token) }).markup;
      },
      codespan: ({ text: code }: Tokens.Codespan) => `<code>${escapeHtml(code)}</code>`,
    },
    extensions: [
      {
        name: 'include',
        level: 'block',
        start: (source) => /^::\w/m.exec(source)?.index,
        tokenizer: (source) => {
          const [raw, name] = include.exec(source) ?? [];
          return raw === undefined ? undefined : { type: 'include', raw, name };
        },
        renderer: ({ name }) => {
          const part = includes[String(name)];
          if (!part) throw new InternalError('A guide includes what does not exist', { path, name: String(name) });
          return part.markup;
        },
      },
    ],
  });
  const main = `<p class="lead">${marked.parseInline(summary, { async: false })}</p>\n${marked.parse(text, { async: false })}`;
  return { path, title, summary, main: { markup: main } };
};

const block = (code: string, language: string): Html => {
  if (language === 'call') return codeTabs(samplesOf(parseCall(code)));
  return language === 'json' ? jsonBlock(JSON.parse(code)) : codeBlock(code, language);
};
