import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Problem, problemOf } from '../apis.ts';
import { goWith, usePlace } from '../place.ts';
import type { Choices } from './form.tsx';
import { Input } from './input.tsx';
import { Empty, Loading, Trouble } from './trouble.tsx';

/** A column: its heading, and what a row shows in it. */
export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** The heading is for screen readers only: the cells hold buttons. */
  readonly isActions?: boolean;
}

export type Filter =
  | { readonly name: string; readonly label: string; readonly choices: Choices }
  | {
      readonly name: string;
      readonly label: string;
      readonly kind: 'search' | 'date' | 'text';
      readonly placeholder?: string;
      /** Of what the list can be asked for: a half-typed text that does not fit waits until it is confirmed. */
      readonly pattern?: string;
    };

/** The query of a page, without the cursor on the first. */
export type Query = Readonly<Record<string, string>>;

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** What the query of the next page has in addition; undefined after the last one. */
  readonly next: Query | undefined;
}

interface Reply<Row> {
  readonly data: readonly Row[];
  readonly nextCursor?: string | null;
  readonly pagination?: { readonly cursor?: string | null; readonly page?: number; readonly totalPages?: number };
}

/** The page in a reply of any list of the three APIs. */
export const pageOf = <Row,>({ data, nextCursor, pagination = {} }: Reply<Row>): Page<Row> => {
  const cursor = nextCursor ?? pagination.cursor;
  const { page = 1, totalPages = 1 } = pagination;
  const next = cursor ? { cursor } : page < totalPages ? { page: String(page + 1) } : undefined;
  return { rows: data, next };
};

interface ListProps<Row> {
  /** What the rows are, for the table's caption: "Messages". */
  readonly caption: string;
  readonly read: (query: Query) => Promise<Page<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Where a row leads; its first cell becomes the link. */
  readonly hrefOf?: (row: Row) => string;
  /** Kept in the URL. */
  readonly filters?: readonly Filter[];
  readonly empty: ComponentChildren;
  /** Reads again when it changes. */
  readonly version?: unknown;
  /** Beside the filters. */
  readonly tools?: ComponentChildren;
}

interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly next: Query | undefined;
}

/** The rows of a next page that are not shown yet: a row that was added meanwhile moves others to the next page. */
const newIn = <Row,>(rows: readonly Row[], before: readonly Row[], keyOf: (row: Row) => string): readonly Row[] => {
  const known = new Set(before.map(keyOf));
  return rows.filter((row) => !known.has(keyOf(row)));
};

/** The pages that are read so far, and how to read the next. A new question drops the answers to the old one. */
const useRows = <Row,>({ read, keyOf, version }: ListProps<Row>, wanted: Query) => {
  const [loaded, setLoaded] = useState<Rows<Row>>();
  const [problem, setProblem] = useState<Problem>();
  const [isLoading, setLoading] = useState(true);
  const [turns] = useState({ latest: 0 });

  const load = async (more: Query | undefined, before: readonly Row[]): Promise<void> => {
    turns.latest += 1;
    const turn = turns.latest;
    setLoading(true);
    setProblem(undefined);
    const answer = await read({ ...wanted, ...more }).catch(problemOf);
    if (turn !== turns.latest) return;
    if ('code' in answer) {
      setProblem(answer);
      if (!more) setLoaded(undefined);
    } else setLoaded({ rows: [...before, ...newIn(answer.rows, before, keyOf)], next: answer.next });
    setLoading(false);
  };

  useEffect(() => {
    load(undefined, []);
  }, [JSON.stringify(wanted), version]);

  return {
    loaded,
    problem,
    isLoading,
    restart: () => load(undefined, []),
    readMore: () => {
      if (loaded?.next && !isLoading) load(loaded.next, loaded.rows);
    },
  };
};

/** Whether a filter has this value; a URL may have any text for a day. */
const isValueOf = (filter: Filter, value: string): boolean =>
  value !== '' && (!('kind' in filter) || filter.kind !== 'date' || !Number.isNaN(Date.parse(`${value}T00:00:00`)));

/** What the URL says of these filters. */
export const useFilters = (filters: readonly Filter[]): Query => {
  const { query } = usePlace();
  return Object.fromEntries(
    filters.flatMap((filter): [string, string][] => {
      const value = query.get(filter.name) ?? '';
      return isValueOf(filter, value) ? [[filter.name, value]] : [];
    }),
  );
};

/** Keeps the focus in a section when what had it is gone, such as the button of a row that was removed. */
const useKeptFocus = (rows: unknown) => {
  const section = useRef<HTMLElement>(null);
  const isInside = useRef(false);
  useEffect(() => {
    if (isInside.current && document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  }, [rows]);
  return {
    ref: section,
    tabIndex: -1,
    onFocusIn: () => {
      isInside.current = true;
    },
    onFocusOut: ({ relatedTarget }: FocusEvent) => {
      // Nothing has the focus after what had it was removed. A dialog only borrows it: its button may be gone when the dialog closes.
      if (relatedTarget instanceof Element && !relatedTarget.closest('dialog')) isInside.current = false;
    },
  };
};

/** What the API refuses again. */
const refusals = ['invalid_request', 'bad_request'];

/** A list that is read page by page: filters in the URL, and a state for loading, for nothing and for trouble. */
export const List = <Row,>(list: ListProps<Row>) => {
  const { caption, filters = [], empty, tools } = list;
  const wanted = useFilters(filters);
  const { loaded, problem, isLoading, restart, readMore } = useRows(list, wanted);
  const kept = useKeptFocus(loaded);
  return (
    <section class="list" aria-label={caption} aria-busy={isLoading} {...kept}>
      <Filters filters={filters} wanted={wanted} tools={tools} />
      <p class="hidden" role="status">
        {loaded && !isLoading ? `${caption}: ${loaded.rows.length} shown` : ''}
      </p>
      {problem ? <Trouble problem={problem} retry={refusals.includes(problem.code) ? undefined : restart} /> : null}
      {!loaded && isLoading ? <Loading /> : null}
      {loaded && loaded.rows.length > 0 ? <Table {...list} rows={loaded.rows} /> : null}
      {loaded?.rows.length === 0 && !problem ? (
        <Nothing hasMore={loaded.next !== undefined} isFiltered={Object.keys(wanted).length > 0} empty={empty} />
      ) : null}
      {loaded?.next ? (
        <button type="button" class="more" aria-disabled={isLoading} onClick={readMore}>
          {isLoading ? 'Loading…' : 'Load more'}
        </button>
      ) : null}
    </section>
  );
};

interface NothingProps {
  /** A page that is filtered after it is read may be empty and have a next one. */
  readonly hasMore: boolean;
  readonly isFiltered: boolean;
  readonly empty: ComponentChildren;
}

const Nothing = ({ hasMore, isFiltered, empty }: NothingProps): ComponentChildren => {
  if (hasMore) return <Empty title="Nothing found so far">Load more to search the rest of the list.</Empty>;
  return isFiltered ? <Empty title="Nothing matches these filters" /> : empty;
};

interface FiltersProps {
  readonly filters: readonly Filter[];
  readonly wanted: Query;
  readonly tools: ComponentChildren;
}

const Filters = ({ filters, wanted, tools }: FiltersProps) =>
  filters.length > 0 || tools ? (
    <div class="filters">
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} value={wanted[filter.name] ?? ''} />
      ))}
      {Object.keys(wanted).length > 0 ? (
        <button
          type="button"
          class="plain"
          onClick={() => goWith(Object.fromEntries(filters.map(({ name }) => [name, ''])))}
        >
          Clear filters
        </button>
      ) : null}
      {tools ? <div class="tools">{tools}</div> : null}
    </div>
  ) : null;

const settleMs = 300;

/** What is being typed, which asks the list once it rests or is confirmed, and which no answer that comes meanwhile changes. */
const useTyped = (value: string, set: (text: string) => void) => {
  const [typed, setTyped] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const settle = (text: string) => {
    clearTimeout(timer.current);
    set(text.trim());
  };
  return {
    value: typed ?? value,
    onInput: ({ currentTarget: { value: text, validity } }: { readonly currentTarget: HTMLInputElement }) => {
      setTyped(text);
      clearTimeout(timer.current);
      if (validity.valid) timer.current = setTimeout(() => settle(text), settleMs);
    },
    onChange: ({ currentTarget: { value: text, validity } }: { readonly currentTarget: HTMLInputElement }) => {
      if (!validity.rangeOverflow) settle(text);
    },
    onBlur: () => setTyped(undefined),
  };
};

const FilterField = ({ filter, value }: { readonly filter: Filter; readonly value: string }) => {
  const id = useId();
  const set = (text: string) => goWith({ [filter.name]: text });
  const typed = useTyped(value, set);
  return (
    <div class="filter">
      <label for={id}>{filter.label}</label>
      {'choices' in filter ? (
        <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
          <option value="">All</option>
          {filter.choices.map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </select>
      ) : (
        <Input
          id={id}
          type={filter.kind}
          placeholder={filter.placeholder}
          pattern={filter.pattern}
          aria-keyshortcuts={filter.kind === 'search' ? 'Control+K Meta+K' : undefined}
          {...typed}
        />
      )}
    </div>
  );
};

type TableProps<Row> = Pick<ListProps<Row>, 'caption' | 'columns' | 'keyOf' | 'hrefOf'> & Pick<Rows<Row>, 'rows'>;

/** Rows of a table, which are cards on a narrow screen. */
export const Table = <Row,>({ caption, columns, rows, keyOf, hrefOf }: TableProps<Row>) => (
  <table>
    <caption class="hidden">{caption}</caption>
    <thead>
      <tr>
        {columns.map(({ label, isNumber, isActions }) => (
          <th key={label} scope="col" class={isNumber ? 'number' : undefined}>
            {isActions ? <span class="hidden">{label}</span> : label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)} class={hrefOf ? 'linked' : undefined}>
          {columns.map(({ label, cell, isNumber, isActions }, i) => (
            <td
              key={label}
              data-label={isActions ? undefined : label}
              class={isNumber ? 'number' : isActions ? 'buttons' : undefined}
            >
              {i === 0 && hrefOf ? <a href={hrefOf(row)}>{cell(row)}</a> : cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
