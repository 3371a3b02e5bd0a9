/** What a message says. On email at least one of html and text is there; elsewhere only text is. */
export interface Content {
  readonly subject: string | undefined;
  readonly html: string | undefined;
  readonly text: string | undefined;
}

type Variables = Readonly<Record<string, string>>;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (mark) => escapes[mark] ?? mark);
const onOneLine = (value: string): string => value.replace(/[\r\n\0]+/g, ' ');
const asItIs = (value: string): string => value;

/**
 * Puts values into `{{name}}` placeholders, in one pass: a value is never read again for placeholders. A placeholder without
 * a value of its own stays as it is, and so does everything that an object merely inherits.
 */
export const fill = (text: string, variables: Variables, shape: (value: string) => string = asItIs): string =>
  text.replace(/\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}/g, (placeholder, name: string) =>
    Object.hasOwn(variables, name) ? shape(variables[name] ?? '') : placeholder,
  );

/** The message that is sent: field by field, inline content wins over the template's. An empty field counts as none. */
export const contentOf = (
  inline: Partial<Content>,
  template: Partial<Content> | undefined,
  variables: Variables,
): Content => {
  const chosen = (field: keyof Content) => inline[field] || template?.[field] || undefined;
  const filled = (field: keyof Content, shape: (value: string) => string) => {
    const text = chosen(field);
    return text === undefined ? undefined : fill(text, variables, shape);
  };
  return {
    subject: filled('subject', onOneLine),
    html: filled('html', escapeHtml),
    text: filled('text', asItIs),
  };
};
