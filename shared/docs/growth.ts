import { grouped } from '../kit/grouped.ts';
import { type Html, html } from '../kit/html.ts';
import figures from './growth.json' with { type: 'json' };
import { table } from './scrolling-table.ts';

/** What one list cost when the account had so many rows. `npm run bench -- growth --write` measures all of them. */
export interface GrowthFigure {
  /** The kind of rows. */
  readonly of: string;
  readonly asks: string;
  readonly rows: number;
  readonly calls: number;
  /** Read units of DynamoDB. */
  readonly units: number;
  /** The fastest of some tries, against the local emulator. */
  readonly milliseconds: number;
}

const growthFigures: readonly GrowthFigure[] = figures;

const sizes = [...new Set(growthFigures.map(({ rows }) => rows))].sort((a, b) => a - b);

/** The figures of one list, by the number of rows. */
export const growthLists: readonly (readonly GrowthFigure[])[] = [
  ...Map.groupBy(growthFigures, ({ of, asks }) => `${of}: ${asks}`).values(),
].map((list) => list.toSorted((a, b) => a.rows - b.rows));

export const growthTable: Html = table(
  ['List', 'Rows are', ...sizes.map((rows) => `at ${grouped(rows)}`)],
  growthLists.map((list) => [
    list[0]?.asks ?? '',
    list[0]?.of ?? '',
    ...list.map(({ units, milliseconds }) => `${units} units, ${milliseconds} ms`),
  ]),
);

const [width, height, left, bottom, top] = [640, 240, 40, 26, 10] as const;

/** One line for each list, in this unit, over the logarithm of the rows. */
const chartOf = (title: string, figureOf: (figure: GrowthFigure) => number): Html => {
  const most = Math.ceil(Math.max(...growthFigures.map(figureOf)) / 10) * 10;
  const [low, high] = [Math.log10(sizes[0] ?? 1), Math.log10(sizes.at(-1) ?? 10)];
  const x = (rows: number) => Math.round(left + ((Math.log10(rows) - low) / (high - low)) * (width - left - 60) + 20);
  const y = (value: number) => Math.round(height - bottom - (value / most) * (height - bottom - top));
  const points = (list: readonly GrowthFigure[]) =>
    list.map((figure) => `${x(figure.rows)},${y(figureOf(figure))}`).join(' ');
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${width} ${height}" width="100%" role="img" aria-label="${title}; the table has the figures">
${[0, most / 2, most].map(
  (value) => html`<path d="M${left} ${y(value)}H${width}" stroke="currentColor" opacity=".15"/>
<text x="${left - 6}" y="${y(value) + 4}" text-anchor="end" font-size="11" fill="currentColor">${value}</text>\n`,
)}${sizes.map(
  (rows) =>
    html`<text x="${x(rows)}" y="${height - 6}" text-anchor="middle" font-size="11" fill="currentColor">${grouped(rows)}</text>\n`,
)}${growthLists.map(
  (list) =>
    html`<polyline points="${points(list)}" fill="none" stroke="currentColor" opacity=".5"><title>${list[0]?.asks} (${list[0]?.of})</title></polyline>\n`,
)}</svg></figure>\n`;
};

export const growthChart: Html = html`${chartOf('Read units of a request, by rows of the account', ({ units }) => units)}${chartOf(
  'Milliseconds of a request on one laptop core, by rows of the account',
  ({ milliseconds }) => milliseconds,
)}`;
