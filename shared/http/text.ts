import * as z from 'zod';

/** Length in characters (code points): a surrogate pair is one, a surrogate alone is one too. */
export const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

// Patterns for the description, in the syntax that all validators of JSON Schema share: no `\p`, `\s` and `\0`, no look-around.

/** Something other than blanks. */
export const notBlank = '[^ \\t\\r\\n]';

/** Text of at most this many characters. */
export const text = ({ atMost }: { readonly atMost: number }) =>
  z
    .string()
    .refine(
      (value) => value.length <= 2 * atMost && characters(value) <= atMost,
      `must be at most ${atMost} characters`,
    )
    .meta({ maxLength: atMost });
