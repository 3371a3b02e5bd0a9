import { h, type InputHTMLAttributes } from 'preact';

export type InputType =
  | 'text'
  | 'email'
  | 'url'
  | 'number'
  | 'date'
  | 'datetime-local'
  | 'search'
  | 'time'
  | 'color'
  | 'password';

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'role' | 'list'> & { readonly type: InputType };

/** An input whose type is decided while it runs: Preact's types want it written out. */
export const Input = (props: Props) => h<object>('input', props);
