import { SelectField } from './form.tsx';
import { textIn } from './form-values.ts';

interface Props {
  /** What is replaced: "secret". */
  readonly what: string;
  readonly hint: string;
}

/** How long what is replaced stays valid. */
export const OverlapField = ({ what, hint }: Props) => (
  <SelectField
    name="overlapSeconds"
    label="Overlap"
    hint={hint}
    choices={[
      ['86400', '1 day'],
      ['3600', '1 hour'],
      ['604800', '7 days'],
      ['0', `None: the old ${what} ends now`],
    ]}
  />
);

export const overlapIn = (values: FormData) => ({ overlapSeconds: Number(textIn(values, 'overlapSeconds')) });
