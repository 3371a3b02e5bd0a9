/** A value of the function's environment, which its row in `infra` puts there. Missing means a mistake in a row: the function does not load. */
export const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`The environment has no ${name}: the function's row lacks the power that brings it.`);
  return value;
};
