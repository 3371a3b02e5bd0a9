import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../apis.ts';
import { usePlace } from '../place.ts';
import { type Filter, Filters, type Query, useFilters } from './filters.tsx';
import { withLabels } from './labels.ts';
import { showAnswer } from './load.ts';
import { lostChanges } from './lost-changes.ts';
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

/** The rows of a next page that are not shown yet: a row that was added meanwhile moves others to the next page. */
const newIn = <Row,>(rows: readonly Row[], before: readonly Row[], keyOf: (row: Row) => string): readonly Row[] => {
  const known = new Set(before.map(keyOf));
  return rows.filter((row) => !known.has(keyOf(row)));
};

/** Before the first page. */
const start = { rows: [], next: {} } as const;

/** The pages that are read so far, and how to read the next. A new question drops the answers to the old one. */
const useRows = <Row,>({ read, keyOf, version }: ListProps<Row>, wanted: Query) => {
  const { entry, left } = usePlace();
  const [loaded, setLoaded] = useState<Page<Row>>();
  const [failed, setFailed] = useState<{ readonly problem: Problem; readonly again: () => void }>();
  const [isLoading, setLoading] = useState(true);
  const [turns] = useState({ latest: 0 });
  const question = JSON.stringify(wanted);
  const asked = useRef<string>(undefined);

  /** These rows, and those of the next page. */
  const readOn = async ({ rows, next }: Page<Row>): Promise<Page<Row>> => {
    const page = await read({ ...wanted, ...next });
    return { rows: [...rows, ...newIn(page.rows, rows, keyOf)], next: page.next };
  };

  /** Until there are at least so many rows. `shown`: the rows that stay where the answer does not come. */
  const load = async (from: Page<Row>, shown?: Page<Row>, least = shown?.rows.length ?? 0): Promise<void> => {
    turns.latest += 1;
    const turn = turns.latest;
    setLoading(true);
    setFailed(undefined);
    // Each page has its own time to be answered.
    await showAnswer(readOn(from), (answer) => {
      if (turn !== turns.latest) return;
      const all = 'value' in answer ? answer.value : undefined;
      if (all?.next && all.rows.length < least) {
        load(all, shown, least);
        return;
      }
      setFailed(answer.problem && { problem: answer.problem, again: () => load(from, shown, least) });
      setLoaded(all ?? shown);
      setLoading(false);
    });
  };

  useEffect(() => {
    const isBack = turns.latest === 0 && left !== undefined;
    // What has changed is read anew to where the list was read, or its reader would be somewhere else in it.
    if (asked.current === question) load(start, loaded);
    else load(start, undefined, isBack ? entry.rows : 0);
    asked.current = question;
    return () => {
      turns.latest += 1;
    };
  }, [question, version]);
  useEffect(() => lostChanges.follow(() => load(start, loaded)));

  return {
    loaded,
    failed,
    isLoading,
    readMore: () => {
      if (loaded?.next && !isLoading) load(loaded, loaded);
    },
  };
};

/** Shows a list that a person comes back to where they left it, with the focus on the row that they had opened, unless they do something else by then. */
const useReturn = (section: RefObject<HTMLElement | null>, hasRows: boolean) => {
  const { entry, left } = usePlace();
  const returned = useRef(false);
  useLayoutEffect(() => {
    if (!hasRows || returned.current) return;
    returned.current = true;
    if (left === undefined || !document.activeElement?.matches('body, h1')) return;
    section.current?.querySelector<HTMLElement>(`tbody a[href="${CSS.escape(left)}"]`)?.focus({ preventScroll: true });
    scrollTo(0, entry.scrolled);
  }, [hasRows]);
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
  const { loaded, failed, isLoading, readMore } = useRows(list, wanted);
  const focus = useKeptFocus(loaded);
  useReturn(focus.ref, loaded !== undefined);
  return (
    <section class="list" aria-label={caption} aria-busy={isLoading} {...focus}>
      <Filters filters={filters} wanted={wanted} tools={tools} />
      <p class="hidden" role="status">
        {loaded && !isLoading ? `${caption}: ${loaded.rows.length} shown` : ''}
      </p>
      {failed ? (
        <Trouble
          problem={withLabels(failed.problem, (path) => filters.find(({ name }) => name === path)?.label)}
          retry={refusals.includes(failed.problem.code) ? undefined : failed.again}
        />
      ) : null}
      {!loaded && isLoading ? <Loading /> : null}
      {loaded && loaded.rows.length > 0 ? <Table {...list} rows={loaded.rows} /> : null}
      {loaded?.rows.length === 0 && !failed ? (
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

type TableProps<Row> = Pick<ListProps<Row>, 'caption' | 'columns' | 'keyOf' | 'hrefOf'> & Pick<Page<Row>, 'rows'>;

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
