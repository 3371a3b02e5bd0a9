/** The columns of a file of contacts: the fields of a contact that a caller writes. */
export const contactColumns = ['email', 'phone', 'firstName', 'lastName', 'tags', 'source', 'customFields'] as const;

/** Columns that an import reads. The status is no field of a new contact: it only keeps out rows that are not active. */
const readColumns = [...contactColumns, 'status'] as const;

/** Columns of our own files that an import leaves out, so that it takes an export, and refused rows after their correction. */
const leftOut = ['id', 'createdAt', 'updatedAt', 'line', 'reason'] as const;

export type ReadColumn = (typeof readColumns)[number];

/** A column of a file; undefined where it is left out. */
export type Header = readonly (ReadColumn | undefined)[];

/** The column that a cell of the header row names. Spreadsheets write names in any case, with blanks around them. */
export const columnNamed = (cell: string): ReadColumn | (typeof leftOut)[number] | undefined => {
  const name = cell.trim().toLowerCase();
  return [...readColumns, ...leftOut].find((column) => column.toLowerCase() === name);
};

/** The file's columns, or why the file cannot be imported. It does not quote the file, because a first row without a header is personal data. */
export const headerOf = (cells: readonly string[]): { readonly header: Header } | { readonly fault: string } => {
  const names = cells.map(columnNamed);
  const unknown = names.indexOf(undefined);
  if (unknown >= 0)
    return { fault: `column ${unknown + 1} of the header row must be one of ${contactColumns.join(', ')}` };
  if (new Set(names).size < names.length) return { fault: 'the header row must name each column once' };
  if (!names.includes('email') && !names.includes('phone')) return { fault: 'the header row must name email or phone' };
  return { header: names.map((name) => readColumns.find((column) => column === name)) };
};
