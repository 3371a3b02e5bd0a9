import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Problem, quietMs, sendingMs } from '../apis.ts';
import { Input, type InputType } from './input.tsx';
import { withLabels } from './labels.ts';
import { noteLostChange, problemOfChange, unanswered } from './lost-changes.ts';
import { toast } from './toast.tsx';
import { Trouble } from './trouble.tsx';
import { savingTyped } from './unsaved.ts';

type Faults = Readonly<Record<string, string>>;

const FaultsContext = createContext<Faults>({});

/** Of `quietHours.countries.1` itself, `quietHours.countries` and `quietHours`; of `2.displayLabel`, of an item of a list, `displayLabel`. */
const partsOf = (path: string): string[] =>
  path
    .replace(/^(body\.|query\.)?(\d+\.)?/, '')
    .split('.')
    .map((_, i, names) => names.slice(0, names.length - i).join('.'));

/** What a person reads beside this control of a form, or this group of checks. */
const labelOf = (control: Element | RadioNodeList, form: HTMLFormElement): string | undefined => {
  const [first] = control instanceof RadioNodeList ? control : [control];
  if (!(first instanceof Element)) return undefined;
  const label = first.closest('.checks')?.parentElement?.querySelector('legend');
  return (label ?? form.querySelector(`label[for="${first.id}"]`))?.firstChild?.textContent ?? undefined;
};

/** What is wrong with the fields that the form has, by field, and the problem with the labels of these fields for their names. */
const faultsIn = (problem: Problem, form: HTMLFormElement): { faults: Faults; problem: Problem } => {
  const faults: Record<string, string> = {};
  const labelled = withLabels(problem, (path, what) => {
    const field = partsOf(path).find((name) => form.elements.namedItem(name));
    const control = form.elements.namedItem(field ?? '');
    if (field === undefined || control === null) return undefined;
    faults[field] = what;
    return labelOf(control, form);
  });
  return { faults, problem: labelled };
};

/** The size of its files in base64. */
const fileBytesIn = (values: FormData): number =>
  [...values.values()].reduce((sum, value) => sum + (value instanceof File ? (value.size * 4) / 3 : 0), 0);

export type Submitted = Promise<(() => void) | undefined>;

interface FormProps {
  readonly submit: string;
  /** Rejects with what the server refused; the form then shows it. Returns what the screen does next, if the form is still on it. */
  readonly onSubmit: (values: FormData, form: HTMLFormElement) => Submitted;
  readonly onCancel?: (() => void) | undefined;
  /** Follows what is typed. */
  readonly onInput?: (values: FormData) => void;
  readonly isDangerous?: boolean;
  readonly children?: ComponentChildren;
}

/** A form: faults beside their fields and in a summary that gets the focus, and a button that is busy while it is sent. */
export const Form = ({ submit, onSubmit, onCancel, onInput, isDangerous = false, children }: FormProps) => {
  const [problem, setProblem] = useState<Problem>();
  const [faults, setFaults] = useState<Faults>({});
  const [isBusy, setBusy] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) summary.current?.focus();
  }, [problem]);

  const send = async (form: HTMLFormElement): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    setFaults({});
    const values = new FormData(form);
    const timer = setTimeout(() => setProblem(unanswered), quietMs + sendingMs(fileBytesIn(values)));
    try {
      const next = await savingTyped(form, () => onSubmit(values, form));
      setProblem(undefined);
      if (form.isConnected) next?.();
      // The screen would have done what is next, such as to show what was made.
      else noteLostChange();
    } catch (thrown) {
      const found = faultsIn(problemOfChange(thrown), form);
      if (!form.isConnected) toast(`${submit}: ${found.problem.message}`, 'bad');
      setFaults(found.faults);
      setProblem(found.problem);
    } finally {
      clearTimeout(timer);
      setBusy(false);
    }
  };

  return (
    <form
      aria-busy={isBusy}
      onInput={({ currentTarget }) => onInput?.(new FormData(currentTarget))}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) send(event.currentTarget);
      }}
    >
      <div ref={summary} tabIndex={-1}>
        {problem ? <Trouble problem={problem} /> : null}
      </div>
      <FaultsContext.Provider value={faults}>{children}</FaultsContext.Provider>
      <div class="actions">
        <button type="submit" class={isDangerous ? 'danger' : 'primary'} aria-disabled={isBusy}>
          {isBusy ? 'One moment…' : submit}
        </button>
        {onCancel ? (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        ) : null}
      </div>
    </form>
  );
};

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is in it at first; with `onInput`, what is in it now. */
  readonly value?: string | undefined;
  readonly isOptional?: boolean;
  /** It can be read and is not sent. */
  readonly isFixed?: boolean;
  readonly onInput?: (value: string) => void;
}

/** The label, hint and fault of one field, tied to its control. */
const Labelled = ({
  name,
  label,
  hint,
  isOptional,
  children,
}: FieldProps & {
  readonly children: (ids: { id: string; describedBy: string | undefined; isFaulty: boolean }) => ComponentChildren;
}) => {
  const id = useId();
  const fault = useContext(FaultsContext)[name];
  const described = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ');
  return (
    <div class={fault ? 'field faulty' : 'field'}>
      <label for={id}>
        {label}
        {isOptional ? <span class="quiet"> (optional)</span> : null}
      </label>
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {children({ id, describedBy: described || undefined, isFaulty: fault !== undefined })}
      {fault ? (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      ) : null}
    </div>
  );
};

interface TextProps extends FieldProps {
  readonly type?: InputType;
  readonly placeholder?: string;
  readonly min?: number;
  readonly max?: number;
  /** Over one makes it a text area. */
  readonly rows?: number;
  readonly isCode?: boolean;
  readonly autoComplete?: string;
  readonly inputMode?: 'decimal';
}

/** A line or an area of text. */
export const TextField = (props: TextProps) => {
  const { name, value, type = 'text', placeholder, rows = 1, min, max, isOptional, isCode, onInput } = props;
  return (
    <Labelled {...props}>
      {({ id, describedBy, isFaulty }) => {
        const shared = {
          id,
          name,
          placeholder,
          required: !isOptional,
          disabled: props.isFixed,
          class: isCode ? 'code' : undefined,
          'aria-describedby': describedBy,
          'aria-invalid': isFaulty || undefined,
          autoComplete: props.autoComplete ?? 'off',
          inputMode: props.inputMode,
          // A `value` is put back each time that the form is drawn, over what the person has typed.
          ...(onInput ? { value } : { defaultValue: value }),
        };
        return rows > 1 ? (
          <textarea {...shared} rows={rows} onInput={(event) => onInput?.(event.currentTarget.value)} />
        ) : (
          <Input
            {...shared}
            type={type}
            min={min}
            max={max}
            onInput={(event) => onInput?.(event.currentTarget.value)}
          />
        );
      }}
    </Labelled>
  );
};

/** Any number of files. */
export const FileField = (props: FieldProps) => (
  <Labelled {...props}>
    {({ id, describedBy, isFaulty }) => (
      <input
        id={id}
        name={props.name}
        type="file"
        multiple
        required={!props.isOptional}
        aria-describedby={describedBy}
        aria-invalid={isFaulty || undefined}
      />
    )}
  </Labelled>
);

/** The value and the words of each choice. */
export type Choices = readonly (readonly [string, string])[];

/** One of some choices. */
export const SelectField = (props: FieldProps & { readonly choices: Choices }) => (
  <Labelled {...props}>
    {({ id, describedBy, isFaulty }) => (
      <select
        id={id}
        name={props.name}
        disabled={props.isFixed}
        aria-describedby={describedBy}
        aria-invalid={isFaulty || undefined}
        onInput={(event) => props.onInput?.(event.currentTarget.value)}
      >
        {props.choices.map(([value, words]) => {
          const isChosen = value === props.value;
          // The types lack `defaultSelected`, which a reset of the form returns to.
          const chosen = { selected: isChosen, defaultSelected: isChosen };
          return (
            <option key={value} value={value} {...chosen}>
              {words}
            </option>
          );
        })}
      </select>
    )}
  </Labelled>
);

interface ChecksProps {
  readonly name: string;
  /** Not needed by a single choice, which says it all. */
  readonly label?: string;
  readonly hint?: ComponentChildren;
  /** The value, the words and, where they help, what it means. */
  readonly choices: readonly (readonly [string, string, string?])[];
  readonly checked?: readonly string[];
  /** Only one can be chosen. */
  readonly isSingle?: boolean;
}

/** Any or one of some choices: `values.getAll(name)`. */
export const CheckFields = ({ name, label, hint, choices, checked = [], isSingle = false }: ChecksProps) => {
  const id = useId();
  const fault = useContext(FaultsContext)[name];
  return (
    <fieldset class={fault ? 'field faulty' : 'field'} aria-describedby={fault ? `${id}-fault` : undefined}>
      {label ? <legend>{label}</legend> : null}
      {hint ? <p class="hint">{hint}</p> : null}
      <div class="checks">
        {choices.map(([value, words, meaning]) => (
          <label key={value} class="check">
            <input
              type={isSingle ? 'radio' : 'checkbox'}
              name={name}
              value={value}
              defaultChecked={checked.includes(value)}
            />
            <span>
              {words}
              {meaning ? <span class="hint">{meaning}</span> : null}
            </span>
          </label>
        ))}
      </div>
      {fault ? (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      ) : null}
    </fieldset>
  );
};
