/** What is wrong with a field, before it is sent. */
export class FieldError extends Error {
  override readonly name = 'FieldError';

  constructor(field: string, what: string) {
    super(`${field}: ${what}`);
  }
}

/** The text of a field. */
export const textIn = (values: FormData, name: string): string => {
  const value = values.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

/** The text of a field; undefined where it is empty. */
export const someTextIn = (values: FormData, name: string): string | undefined => textIn(values, name) || undefined;

/** The chosen values of some checks. */
export const chosenIn = <T extends string>(values: FormData, name: string, known: readonly T[]): T[] =>
  known.filter((each) => values.getAll(name).includes(each));

/** The lines of a text area that are not empty. */
export const linesIn = (values: FormData, name: string): string[] =>
  textIn(values, name)
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

/** Whether a switch is on. */
export const isOn = (values: FormData, name: string): boolean => values.get(name) === 'true';
