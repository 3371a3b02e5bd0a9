import { escapeHtml } from '../../kit/html.ts';

/** What a template says: its fields as they are typed. */
export interface Draft {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

const placeholders = /\{\{([^{}]*)\}\}/g;

/** The names of a draft's placeholders, in their order. */
export const placeholdersIn = ({ subject, html, text }: Draft): readonly string[] => [
  ...new Set(
    [subject, html, text].flatMap((part) => [...part.matchAll(placeholders)].map(([, name = '']) => name.trim())),
  ),
];

/** The draft with its values, as a send fills it in: values are escaped in HTML, and a placeholder without one stays. */
export const filledIn = (draft: Draft, values: Readonly<Record<string, string>>): Draft => {
  const fill = (text: string, shape: (value: string) => string): string =>
    text.replace(placeholders, (placeholder, name: string) => {
      const key = name.trim();
      const value = Object.hasOwn(values, key) ? values[key] : undefined;
      return value ? shape(value) : placeholder;
    });
  return {
    subject: fill(draft.subject, String),
    html: fill(draft.html, escapeHtml),
    text: fill(draft.text, String),
  };
};
