/** A row of a CSV file (RFC 4180), and the line that it begins on. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Between two quotes, a run of other characters is one repetition: one for each character needs more memory than browsers give to 8 MB. */
const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * The rows of a file. Blank lines are left out.
 * @throws Error with the line of a quote that is not closed, or that stands in the middle of a cell
 */
export const csvRows = (text: string): readonly CsvRow[] => {
  const rows: CsvRow[] = [];
  let [at, line, begun] = [text.startsWith('\uFEFF') ? 1 : 0, 1, 1];
  let cells: string[] = [];
  while (at < text.length || cells.length > 0) {
    cell.lastIndex = at;
    const found = cell.exec(text);
    if (!found) throw new CsvError(`Line ${line}: a quote is not closed, or stands in the middle of a cell.`);
    const [whole, quoted, plain = '', end] = found;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += whole.split('\n').length - 1;
    at += whole.length;
    if (end === ',') continue;
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: begun, cells });
    [cells, begun] = [[], line];
  }
  return rows;
};

/** What is wrong with a file, for people. */
class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** The text of a file with these rows. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((cells) => cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(','))
    .map((row) => `${row}\r\n`)
    .join('');
