import { filledIn } from '../../messages/placeholders.ts';

/** What a template says: its fields as they are typed. */
export interface Draft {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** The draft with its values, as a send fills it in. */
export const filledDraft = ({ subject, html, text }: Draft, values: Readonly<Record<string, string>>): Draft => ({
  subject: filledIn('subject', subject, values),
  html: filledIn('html', html, values),
  text: filledIn('text', text, values),
});
