import { escapeHtml } from '../kit/html.ts';
import { asLine } from '../kit/line.ts';

type Field = 'subject' | 'html' | 'text';

const placeholders = /\{\{([^{}]*)\}\}/g;

/** How a value is escaped where it is inserted. */
const shapes: Readonly<Record<Field, (value: string) => string>> = {
  subject: asLine,
  html: escapeHtml,
  text: (value) => value,
};

/** The names of the `{{name}}` placeholders of these texts, each once, in their order. */
export const namesIn = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(placeholders)].map(([, name = '']) => name.trim()))),
];

/**
 * Replaces `{{name}}` placeholders in one pass, so values are never searched for placeholders. A placeholder without an own value stays unchanged;
 * inherited properties do not count. `onInsert` gets each value, escaped, before it is inserted, and may throw.
 */
export const filledIn = (
  field: Field,
  text: string,
  variables: Readonly<Record<string, string>>,
  onInsert?: (value: string) => void,
): string => {
  // Each value once, and only those that are used: a request may have very many, and long ones.
  const values = new Map<string, string | undefined>();
  const insertedFor = (name: string): string | undefined => {
    const given = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return given === undefined ? undefined : shapes[field](given);
  };
  return text.replace(placeholders, (placeholder, untrimmed: string) => {
    const name = untrimmed.trim();
    if (!values.has(name)) values.set(name, insertedFor(name));
    const value = values.get(name);
    if (value === undefined) return placeholder;
    onInsert?.(value);
    return value;
  });
};
