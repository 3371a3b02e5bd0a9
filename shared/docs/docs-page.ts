import type { Html } from '../kit/html.ts';
import type { DocsPath } from './site-map.ts';

/** One page of the documentation, without what is around it. */
export interface DocsPage {
  readonly path: DocsPath;
  readonly title: string;
  /** One sentence, for the overview, search engines and `llms.txt`. CommonMark. */
  readonly summary: string;
  readonly main: Html;
  /** Endpoints with their code beside them; it takes the width of the page. */
  readonly isWide?: true;
}

interface Heading {
  readonly level: number;
  readonly id: string;
  /** HTML. */
  readonly text: string;
}

/** The headings that can be linked to, in their order. */
export const headingsOf = ({ main }: Pick<DocsPage, 'main'>): Heading[] =>
  [...main.markup.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/gs)].map(([, level, id = '', text = '']) => ({
    level: Number(level),
    id,
    text,
  }));
