import type * as z from 'zod';

/** C0 control characters and DEL, tab, line breaks and NUL among them, and the separators U+2028 and U+2029. */
const controls = /(?:[\u2028\u2029]|(?![\u0080-\u009f])\p{Cc})+/gu;

/** The pattern of a line in the API’s description. It allows the separators: JSON Schema validators do not agree on a notation for them. */
export const linePattern = '^[^\\x00-\\x1f\\x7f]*$';
/** That of a line with at least one character that is not a space. */
export const filledLinePattern = '^ *[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$';

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Why a text is not one line of plain characters, as an error message; undefined when it is. */
export const lineFault = (text: string): string | undefined => {
  const [found] = text.match(controls) ?? [];
  return found && `must not contain control characters (found ${codePoint(found)})`;
};

const lineBreaks = /[\r\n\u2028\u2029]/g;

/** The text as one line: without its line breaks, and with a space for each run of other control characters. */
export const asLine = (text: string): string => text.replace(lineBreaks, '').replace(controls, ' ');

/** Text that is shown or sent as one line, such as a name or a subject. */
export const line = <Schema extends z.ZodType<string, string>>(schema: Schema): Schema =>
  schema
    .refine((text) => lineFault(text) === undefined, { error: ({ input }) => lineFault(String(input)) })
    .meta({ pattern: linePattern }) as Schema;
