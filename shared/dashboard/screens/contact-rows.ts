import type { Operations } from '../../client/messaging.ts';
import { unguardedCell } from '../../transfers/guarded-cell.ts';
import { tagsIn } from '../../transfers/tags-cell.ts';

type NewContact = Operations['POST /contacts/bulk']['request']['body']['contacts'][number];

const columns = ['email', 'phone', 'firstName', 'lastName', 'tags', 'source', 'customFields'] as const;
/** Columns of our own files, so that an export and corrected rows can be imported. */
const leftOut = ['id', 'status', 'createdAt', 'updatedAt', 'line', 'reason'];

type Column = (typeof columns)[number];

const columnNamed = (name: string): Column | undefined => columns.find((column) => column === name.trim());

/** Why a file with this header row cannot be imported; undefined when it can. */
export const faultOfHeader = (header: readonly string[]): string | undefined => {
  const names = header.map((name) => name.trim());
  const unknown = names.findIndex((name) => !columnNamed(name) && !leftOut.includes(name));
  if (unknown >= 0) return `Column ${unknown + 1} of the header row must be one of ${columns.join(', ')}.`;
  if (new Set(names).size < names.length) return 'The header row must name each column once.';
  return names.includes('email') || names.includes('phone') ? undefined : 'The header row must name email or phone.';
};

const readers: Partial<Readonly<Record<Column, (text: string) => unknown>>> = {
  tags: tagsIn,
  customFields: (text): unknown => JSON.parse(text),
};

/** The contact of a row, or why it has none. An empty cell is an omitted field; the server checks the values. */
export const contactOf = (
  header: readonly string[],
  cells: readonly string[],
): { readonly contact?: NewContact; readonly fault?: string } => {
  if (cells.length !== header.length)
    return { fault: `the row has ${cells.length} fields, the header row ${header.length}` };
  try {
    const fields = header.flatMap((name, i) => {
      const [column, text] = [columnNamed(name), unguardedCell(cells[i] ?? '').trim()];
      return column && text !== '' ? [[column, readers[column]?.(text) ?? text] as const] : [];
    });
    return { contact: Object.fromEntries(fields) };
  } catch {
    return { fault: 'customFields: must be a JSON object' };
  }
};
