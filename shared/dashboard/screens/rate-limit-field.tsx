import { TextField } from '../parts/form.tsx';
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
