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

/** The server knows no later day. With it, browsers take years of four digits only. */
const latest: Partial<Record<InputType, string>> = { date: '9999-12-31', 'datetime-local': '9999-12-31T23:59' };

/** An input whose type is decided while it runs: Preact's types want it written out. */
export const Input = ({ max, ...rest }: Props) => {
  const props: Props = { ...rest, max: max ?? latest[rest.type] };
  return h<object>('input', props);
};
