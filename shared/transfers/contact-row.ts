import { type ContactDetails, detailsOf } from '../contacts/contact.ts';
import { mostTags, newContactFields } from '../contacts/contact-fields.ts';
import { hasLoneSurrogate, isDeeperThan, maximumDepth, noLoneSurrogate } from '../kit/json-limits.ts';
import { parseJson } from '../kit/json-text.ts';
import type { Header, ReadColumn } from './contact-header.ts';
import { unguardedCell } from './guarded-cell.ts';
import { faultOfStatus } from './status-cell.ts';
import { tagsIn } from './tags-cell.ts';

type Value = string | readonly string[] | Readonly<Record<string, unknown>>;

type Read = { readonly value: Value } | { readonly fault: string };

/** In the body of a request an object is one level further down. */
const mostLevels = maximumDepth - 1;

const customFieldsIn = (text: string): Read => {
  if (isDeeperThan(mostLevels, text)) return { fault: `must not be nested more than ${mostLevels} levels deep` };
  if (hasLoneSurrogate(text)) return { fault: noLoneSurrogate };
  try {
    return { value: parseJson(text) as Record<string, unknown> };
  } catch {
    return { fault: 'must be a JSON object' };
  }
};

const tagsRead = (text: string): Read => {
  const value = tagsIn(text);
  return value.every((tag) => tag.isWellFormed()) ? { value } : { fault: noLoneSurrogate };
};

const statusRead = (text: string): Read => {
  const fault = faultOfStatus(text);
  return fault === undefined ? { value: text } : { fault };
};

/** How a column's text is read, or why it is no value of the field. */
const readers: Partial<Readonly<Record<ReadColumn, (text: string) => Read>>> = {
  tags: tagsRead,
  customFields: customFieldsIn,
  status: statusRead,
};

const asText = (value: string): Read => ({ value });

/** The contact of a row, by the rules of POST /contacts; an empty cell is an omitted field. */
export const contactOfRow = (
  header: Header,
  cells: readonly string[],
): { readonly details: ContactDetails } | { readonly fault: string } => {
  if (cells.length !== header.length)
    return { fault: `the row has ${cells.length} fields, the header row ${header.length}` };
  const fields = header.flatMap((column, n) => {
    const text = unguardedCell(cells[n] ?? '');
    return column && text.trim() !== '' ? [[column, text] as const] : [];
  });
  const reads = fields.map(([column, text]) => ({ column, ...(readers[column] ?? asText)(text) }));
  const bad = reads.find((read) => 'fault' in read);
  if (bad) return { fault: `${bad.column}: ${bad.fault}` };
  const values = reads.flatMap((read) => ('value' in read ? [[read.column, read.value] as const] : []));
  const parsed = newContactFields.safeParse(Object.fromEntries(values));
  if (parsed.success) return { details: detailsOf(parsed.data) };
  const reasons = parsed.error.issues.map(
    ({ code, path, message }) =>
      `${path.join('.')}: ${code === 'too_big' && path[0] === 'tags' ? `must have at most ${mostTags} items` : message}`,
  );
  return { fault: reasons.join('; ') };
};
