import { InternalError } from './internal-error.ts';

/** A value of the function's environment, which its row in `infra` puts there. A missing one is a mistake in the row: the function does not load. */
export const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined)
    throw new InternalError('the environment lacks a setting: a power is missing in the row of the function', { name });
  return value;
};
