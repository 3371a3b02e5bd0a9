import { TextField } from '../parts/form.tsx';
import { textIn } from '../parts/form-values.ts';
import { useAccount } from '../session.ts';

/** Only operators give a key more than the default. */
export const RateLimitField = () => {
  const { role } = useAccount();
  return (
    <TextField
      name="rateLimitPerMinute"
      label="Requests a minute"
      type="number"
      min={1}
      max={role === 'operator' ? 1_000_000 : 1_000}
      isOptional
      value="1000"
    />
  );
};

/** What a new key is made with: nothing where the field is empty, which gives it the default. */
export const rateLimitIn = (values: FormData) => {
  const limit = textIn(values, 'rateLimitPerMinute');
  return limit === '' ? {} : { rateLimitPerMinute: Number(limit) };
};
