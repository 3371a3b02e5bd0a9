import * as z from 'zod';

/** Length in characters (code points): a surrogate pair is one, and so is half of one. */
export const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

// Patterns for the description, in the regex syntax common to JSON Schema validators: no `\p`, `\s` and `\0`, no look-around.

/** At least one character that is not a space. */
export const notBlank = '[^ \\t\\r\\n]';

/** A text of at most this many characters. */
export const text = ({ atMost }: { readonly atMost: number }) =>
  z
    .string()
    .refine(
      (value) => value.length <= 2 * atMost && characters(value) <= atMost,
      `must be at most ${atMost} characters`,
    )
    .meta({ maxLength: atMost });
