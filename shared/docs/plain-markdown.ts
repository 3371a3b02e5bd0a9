import type { DocsPage } from './docs-page.ts';

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

const textOf = (markup: string): string =>
  markup.replaceAll(/<[^>]+>/g, '').replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);

const cellsOf = (row: string): string[] =>
  [...row.matchAll(/<t[hd](?: [^>]*)?>(.*?)<\/t[hd]>/gs)].map(([, text = '']) =>
    text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|'),
  );

/** A row of heads, one of dashes, and the others: without each of them it is no table. */
const tableOf = (markup: string): string => {
  const [heads = [], ...rows] = [...markup.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) => cellsOf(row));
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

/** Its numbers are kept, because other sentences name its items by them. */
const numbered = (list: string): string =>
  list
    .split(/<li[^>]*>/)
    .slice(1)
    .map((item, i) => `${i + 1}. ${item.trim()}`)
    .join('\n');

/** Fields of a field stand further in: only that says whose they are. A mark takes the place of two spaces, which are trimmed. */
const indented = (markup: string): string => {
  let depth = 0;
  return markup.replaceAll(/<(\/?)dl[^>]*>|<dt>/g, (tag, closing: string | undefined) => {
    if (tag === '<dt>') return tag + '⇥'.repeat(depth - 1);
    depth += closing ? -1 : 1;
    return tag;
  });
};

/** What stands for a tag. Blocks of code are taken out before, because nothing in them is a tag. */
const tags: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [/<p class="label">.*?<\/p>|<figure>.*?<\/figure>/gs, ''],
  [/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs, (_, href = '', text = '') => `[${text}](${href})`],
  [/<code>(.*?)<\/code>/gs, (_, text = '') => `\`${text}\``],
  [/<h([1-6])[^>]*>(.*?)<\/h\1>/gs, (_, level = '', text = '') => `\n\n${'#'.repeat(Number(level))} ${text}\n\n`],
  [/<i>(.*?)<\/i>|<em>(.*?)<\/em>/gs, (_, one = '', other = '') => `_${one || other}_`],
  [/<(?:b|strong)>(.*?)<\/(?:b|strong)>/gs, (_, text = '') => `**${text}**`],
  [/<dt>(⇥*)(.*?)<\/dt>\s*<dd>/gs, (_, depth = '', text = '') => `\n${depth}- ${text}: `],
  [/<table[^>]*>(.*?)<\/table>/gs, (_, rows = '') => `\n\n${tableOf(rows)}\n\n`],
  [/<ol[^>]*>(.*?)<\/ol>/gs, (_, list = '') => `\n\n${numbered(list)}\n\n`],
  [/<li[^>]*>/g, '\n- '],
  [/<\/?(?:p|ul|dl|section|div)[^>]*>/g, '\n\n'],
];

/** A page as Markdown, from its HTML, so that both always say the same. */
export const markdownOf = ({ title, main }: DocsPage): string => {
  const blocks: string[] = [];
  const keep = (language: string, code: string): string => {
    blocks.push(`\n\n\`\`\`${language}\n${textOf(code)}\n\`\`\`\n\n`);
    return `⟦${blocks.length - 1}⟧`;
  };
  let text = main.markup.replaceAll(
    /<pre [^>]*data-language="([^"]*)"><code>(.*?)<\/code><\/pre>/gs,
    (_, language: string, code: string) => keep(language, code),
  );
  text = indented(text);
  for (const [pattern, by] of tags) text = text.replaceAll(pattern, by as string);
  const body = textOf(text)
    .replaceAll(/^[ \t]+|[ \t]+$/gm, '')
    .replaceAll(/\n{2,}(?=⇥*- )/g, '\n')
    .replaceAll(/^\n*(?=⇥*- )/gm, '')
    .replaceAll('⇥', '  ')
    .replaceAll(/⟦(\d+)⟧/g, (_, at: string) => blocks[Number(at)] ?? '')
    .replaceAll(/\n{3,}/g, '\n\n');
  return `# ${title}\n\n${body.trim()}\n`;
};
