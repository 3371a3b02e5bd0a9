import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { goWith, usePlace } from '../place.ts';
import type { Choices } from './form.tsx';
import { Input } from './input.tsx';

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

interface FiltersProps {
  readonly filters: readonly Filter[];
  readonly wanted: Query;
  readonly tools: ComponentChildren;
}

export const Filters = ({ filters, wanted, tools }: FiltersProps) =>
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
