import { useEffect, useRef, useState } from 'preact/hooks';
import { grouped } from './words.tsx';

export interface Series {
  readonly name: string;
  /** One for each label; undefined where there is none, which leaves a gap. */
  readonly values: readonly (number | undefined)[];
  /** Drawn in red. */
  readonly isBad?: boolean;
}

interface ChartProps {
  readonly title: string;
  /** What stands below the axis, for example days. */
  readonly labels: readonly string[];
  /** At most four. Bars are stacked, lines are not. */
  readonly series: readonly Series[];
  readonly kind: 'bars' | 'lines';
  readonly format?: (value: number) => string;
}

const [height, bottom, top] = [180, 22, 10] as const;
const parts = [0, 0.5, 1] as const;
/** In the fonts of common systems no letter of an axis is wider, on average. */
const letterWidth = 6.5;
const gap = 8;
const widthOf = (labels: readonly string[]): number => letterWidth * Math.max(...labels.map(({ length }) => length));
/** The room beside the axis: for its longest label, or as much as other charts have, so that they stand in line. */
const roomFor = (labels: readonly string[]): number => Math.max(40, gap + widthOf(labels));

/** The width of an SVG on the screen: drawn to it, text keeps its size on a phone. */
const useWidth = () => {
  const ref = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(480);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth((before) => entry?.contentRect.width || before));
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
};

const classOf = ({ isBad }: Series, index: number): string => (isBad ? 's3' : `s${index}`);

/** A round number that is at least this one, so that the axis can be read. */
const roundAbove = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
};

/** A chart as an inline SVG, with its numbers in a table for screen readers and for those who open it. */
export const Chart = ({ title, labels, series, kind, format = grouped }: ChartProps) => {
  const totals = labels.map((_, i) => series.reduce((sum, { values }) => sum + (values[i] ?? 0), 0));
  const highest =
    kind === 'bars'
      ? Math.max(...totals, 0)
      : Math.max(...series.flatMap(({ values }) => values.map((value = 0) => value)), 0);
  const isEmpty = series.every(({ values }) =>
    values.every((value) => value === undefined || (kind === 'bars' && value === 0)),
  );
  const most = roundAbove(highest);
  const scale = parts.map((part) =>
    !isEmpty && (most * part >= 1 || part === 0 || kind === 'lines') ? format(most * part) : '',
  );
  const { ref, width } = useWidth();
  const left = roomFor(scale);
  const step = (width - left) / Math.max(labels.length, 1);
  const xOf = (day: number) => left + step * day;
  const yOf = (value: number) => height - bottom - (value / most) * (height - bottom - top);
  const shown = Math.min(7, Math.max(1, Math.floor((width - left) / (gap + widthOf(labels)))));
  const every = Math.ceil(labels.length / shown);
  return (
    <figure class="chart">
      <figcaption>
        <span class="title">{title}</span>
        <span class="legend">
          {series.map((each, i) => (
            <span key={each.name} class={`key ${classOf(each, i)}`}>
              <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
                {kind === 'bars' ? <rect width="10" height="10" rx="2" /> : <path d="M0 5h10" stroke-width="3" />}
              </svg>
              {each.name}
            </span>
          ))}
        </span>
      </figcaption>
      <svg ref={ref} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" class={kind}>
        {parts.map((part, i) => (
          <g key={part}>
            <path class="grid" d={`M${left} ${yOf(most * part)}H${width}`} />
            <text x={left - 6} y={yOf(most * part) + 4} text-anchor="end">
              {scale[i]}
            </text>
          </g>
        ))}
        {labels.map((label, i) =>
          (labels.length - 1 - i) % every === 0 ? (
            <text key={label} x={xOf(i + 0.5)} y={height - 5} text-anchor="middle">
              {label}
            </text>
          ) : null,
        )}
        {kind === 'bars' ? (
          <Bars labels={labels} series={series} step={step} xOf={xOf} yOf={yOf} format={format} />
        ) : (
          series.map((each, s) => (
            <path key={each.name} class={`line ${classOf(each, s)}`} d={lineOf(each.values, xOf, yOf)} />
          ))
        )}
        {isEmpty ? (
          <text class="nothing" x={(left + width) / 2} y={yOf(most / 2) - 8} text-anchor="middle">
            Nothing in these days
          </text>
        ) : null}
      </svg>
      <details>
        <summary>Show as table</summary>
        <ChartTable title={title} labels={labels} series={series} format={format} />
      </details>
    </figure>
  );
};

/** A value beside gaps is a short dash, as wide as a day: a line of no length would hardly be seen. */
const lineOf = (values: Series['values'], xOf: BarsProps['xOf'], yOf: BarsProps['yOf']): string =>
  values
    .map((value, i) => {
      if (value === undefined) return '';
      const point = `${xOf(i + 0.5)} ${yOf(value)}`;
      if (values[i - 1] !== undefined) return `L${point}`;
      return values[i + 1] === undefined ? `M${xOf(i + 0.25)} ${yOf(value)}H${xOf(i + 0.75)}` : `M${point}`;
    })
    .join('');

interface BarsProps extends Required<Pick<ChartProps, 'labels' | 'series' | 'format'>> {
  readonly step: number;
  /** Where a day begins, counted from the oldest. */
  readonly xOf: (day: number) => number;
  readonly yOf: (value: number) => number;
}

const Bars = ({ labels, series, step, xOf, yOf, format }: BarsProps) => (
  <>
    {labels.map((label, i) => {
      let below = 0;
      const words = series.map(({ name, values }) => `${name}: ${format(values[i] ?? 0)}`).join('\n');
      return (
        <g key={label}>
          <title>{`${label}\n${words}`}</title>
          {series.map((each, s) => {
            const value = each.values[i] ?? 0;
            const y = yOf(below + value);
            const tall = yOf(below) - y;
            below += value;
            return value > 0 ? (
              <rect
                key={each.name}
                class={classOf(each, s)}
                x={xOf(i + 0.18)}
                y={y}
                width={step * 0.64}
                height={tall}
                rx="1.5"
              />
            ) : null;
          })}
        </g>
      );
    })}
  </>
);

const ChartTable = ({ title, labels, series, format }: Required<Omit<ChartProps, 'kind'>>) => (
  <div class="scrolls">
    <table class="plain">
      <caption class="hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {series.map(({ name }) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labels.map((label, i) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {series.map(({ name, values }) => (
              <td key={name} class="number">
                {values[i] === undefined ? '–' : format(values[i])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
