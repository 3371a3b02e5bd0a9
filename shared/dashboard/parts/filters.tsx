import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { problemOf } from '../apis.ts';
import { go, goWith, usePlace } from '../place.ts';
import { useAccount } from '../session.ts';
import { findById, isId } from './find-by-id.ts';
import type { Choices } from './form.tsx';
import { Input } from './input.tsx';
import { toast } from './toast.tsx';

export type Filter =
  | {
      readonly name: string;
      readonly label: string;
      readonly choices: Choices;
      /** What is listed without a choice: "All", if it is not said. */
      readonly unchosen?: string;
    }
  | {
      readonly name: string;
      readonly label: string;
      readonly kind: 'search' | 'date' | 'text';
      readonly placeholder?: string;
      /** Of what the list can be asked for: a half-typed text that does not fit waits until it is confirmed. */
      readonly pattern?: string;
      /** What the list is asked for, of a text that a person typed. */
      readonly means?: (typed: string) => string;
      /** The id of a payment, session, refund or message opens its screen. */
      readonly takesIds?: true;
    };

/** The query of a page, without the cursor on the first. */
export type Query = Readonly<Record<string, string>>;

const isDay = (text: string): boolean => {
  const midnight = Date.parse(`${text}T00:00:00Z`);
  // The 31st of February is read as a day of March.
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().slice(0, 10) === text;
};

/** A link may have any text for a day or a choice. */
const isValueOf = (filter: Filter, value: string): boolean => {
  if ('choices' in filter) return filter.choices.some(([choice]) => choice === value);
  return value !== '' && (filter.kind !== 'date' || isDay(value));
};

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

/** The filters of the URL that are not applied, because they cannot have its values. */
const useIgnored = (filters: readonly Filter[], wanted: Query): readonly Filter[] => {
  const { query } = usePlace();
  return filters.filter(({ name }) => query.get(name) && wanted[name] === undefined);
};

interface FiltersProps {
  readonly filters: readonly Filter[];
  readonly wanted: Query;
  readonly tools: ComponentChildren;
}

export const Filters = ({ filters, wanted, tools }: FiltersProps) => {
  const ignored = useIgnored(filters, wanted);
  if (filters.length === 0 && !tools) return null;
  return (
    <div class="filters">
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} value={wanted[filter.name] ?? ''} />
      ))}
      {Object.keys(wanted).length + ignored.length > 0 ? (
        <button
          type="button"
          class="plain"
          onClick={() => goWith(Object.fromEntries(filters.map(({ name }) => [name, ''])))}
        >
          Clear filters
        </button>
      ) : null}
      {tools ? <div class="tools">{tools}</div> : null}
      {ignored.length > 0 ? (
        <p class="notice waiting" role="status">
          Not filtered by {ignored.map(({ label }) => label).join(', ')}: the link has a value that is not allowed.
        </p>
      ) : null}
    </div>
  );
};

const settleMs = 300;

type SetTyped = (text: string, isLatest: () => boolean) => void;

/** Screens are the same with or without a slash at the end. */
const pathHere = (): string => location.pathname.replace(/\/+$/, '');

/** What is being typed, which asks the list once it rests or is confirmed, and which no answer that comes meanwhile changes. */
const useTyped = (value: string, set: SetTyped, isWholeId: (text: string) => boolean) => {
  const [typed, setTyped] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const turns = useRef(0);
  const [path] = useState(pathHere);
  useEffect(() => () => clearTimeout(timer.current), []);
  const settle = (text: string) => {
    clearTimeout(timer.current);
    const turn = turns.current;
    set(text.trim(), () => turn === turns.current);
  };
  return {
    value: typed ?? value,
    onInput: ({ currentTarget: { value: text, validity } }: { readonly currentTarget: HTMLInputElement }) => {
      turns.current += 1;
      setTyped(text);
      clearTimeout(timer.current);
      if (validity.valid || isWholeId(text.trim())) timer.current = setTimeout(() => settle(text), settleMs);
    },
    onChange: ({ currentTarget: { value: text, validity } }: { readonly currentTarget: HTMLInputElement }) => {
      // A browser reports the text of a field that is removed, too: it is no filter of the screen that the person has gone to.
      if (!validity.rangeOverflow && pathHere() === path) settle(text);
    },
    onBlur: () => setTyped(undefined),
  };
};

/** Opens what has this id. Where there is nothing, `otherwise` is done with the text. */
const useOpening = (otherwise: (text: string) => void) => {
  const { id } = useAccount();
  return async (text: string, isLatest: () => boolean): Promise<void> => {
    const { href } = location;
    try {
      const found = await findById(id, text);
      if (location.href !== href || !isLatest()) return;
      if (found) go(`/dashboard/${id}${found}`);
      else otherwise(text);
    } catch (thrown) {
      toast(problemOf(thrown).message, 'bad');
    }
  };
};

const FilterField = ({ filter, value }: { readonly filter: Filter; readonly value: string }) => {
  const id = useId();
  const meant = (text: string) => ('means' in filter ? filter.means?.(text) : undefined) ?? text;
  const setFilter = (text: string) => goWith({ [filter.name]: meant(text) });
  // A list whose filter has a pattern takes no id for its text.
  const open = useOpening('pattern' in filter ? () => toast('Nothing has this id', 'bad') : setFilter);
  const isWholeId = (text: string) => 'takesIds' in filter && isId(text);
  const set: SetTyped = (text, isLatest) => (isWholeId(text) ? open(text, isLatest) : setFilter(text));
  const typed = useTyped(value, set, isWholeId);
  return (
    <div class="filter">
      <label for={id}>{filter.label}</label>
      {'choices' in filter ? (
        <select id={id} value={value} onChange={(event) => setFilter(event.currentTarget.value)}>
          <option value="">{filter.unchosen ?? 'All'}</option>
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
