import { isUtf8 } from 'node:buffer';

/** RFC 4180: one row of a file. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** The line of the file that it begins on. */
  readonly line: number;
  /** The offset of the byte after it, and the line that this is in. */
  readonly end: number;
  readonly nextLine: number;
  /** Why its cells cannot be read. */
  readonly fault?: string;
}

interface Fault {
  readonly fault: string;
}

interface Row extends Partial<Fault> {
  readonly cells: readonly string[];
  readonly next: number;
}

interface Cell {
  readonly text: string;
  readonly next: number;
  readonly endsRow: boolean;
}

interface LineEnd {
  readonly end: number;
  readonly next: number;
}

type Scanned<Found> = Found | Fault | 'unfinished';

const [quote, comma, lineFeed, carriageReturn] = [0x22, 0x2c, 0x0a, 0x0d];
export const longestRecordBytes = 64 * 1024;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Where the line ends that a position is in: its last byte, and the first of the next line. */
const lineEnd = (bytes: Buffer, from: number, isLast: boolean): LineEnd | undefined => {
  const at = bytes.indexOf(lineFeed, from);
  if (at >= 0) return { end: bytes[at - 1] === carriageReturn && at > from ? at - 1 : at, next: at + 1 };
  return isLast ? { end: bytes.length, next: bytes.length } : undefined;
};

/** The end of a quoted cell: the position of its last quote. */
const closingQuote = (bytes: Buffer, from: number): number => {
  let at = bytes.indexOf(quote, from);
  while (at >= 0 && bytes[at + 1] === quote) at = bytes.indexOf(quote, at + 2);
  return at;
};

const quotedCell = (bytes: Buffer, start: number, isLast: boolean): Scanned<Cell> => {
  const close = closingQuote(bytes, start + 1);
  if (close < 0) return isLast ? { fault: 'a quote is not closed' } : 'unfinished';
  const [end, text] = [close + 1, bytes.toString('utf8', start + 1, close).replaceAll('""', '"')];
  if (bytes[end] === comma) return { text, next: end + 1, endsRow: false };
  const line = lineEnd(bytes, end, isLast);
  if (!line) return 'unfinished';
  return line.end === end ? { text, next: line.next, endsRow: true } : { fault: 'text follows a closing quote' };
};

/** `line`: where the line of the cell ends. */
const plainCell = (bytes: Buffer, start: number, line: LineEnd | undefined): Scanned<Cell> => {
  if (!line) return 'unfinished';
  // Not behind its line: a file of one column may have no comma.
  const at = bytes.subarray(start, line.end).indexOf(comma);
  const cell = bytes.subarray(start, at < 0 ? line.end : start + at);
  if (cell.includes(quote)) return { fault: 'a cell with a quote must be quoted as a whole' };
  const text = cell.toString();
  return at < 0 ? { text, next: line.next, endsRow: true } : { text, next: start + at + 1, endsRow: false };
};

/** Quotes, commas and the ends of lines are what they are also in a text that is not UTF-8, so it ends where its cells do. */
const scanned = (bytes: Buffer, from: number, isLast: boolean): Scanned<Row> => {
  const cells: string[] = [];
  // Looked for once in a line, not for each of its cells, which may be thousands.
  let line = lineEnd(bytes, from, isLast);
  for (let start = from; ; ) {
    if (line && start > line.end) line = lineEnd(bytes, start, isLast);
    const cell = bytes[start] === quote ? quotedCell(bytes, start, isLast) : plainCell(bytes, start, line);
    if (cell === 'unfinished' || 'fault' in cell) return cell;
    cells.push(cell.text);
    start = cell.next;
    if (!cell.endsRow) continue;
    const isReadable = isUtf8(bytes.subarray(from, start));
    return isReadable ? { cells, next: start } : { cells: [], fault: 'the row is not valid UTF-8', next: start };
  }
};

/** The rest of the line, where the cells of a row do not end; undefined when the part ends before. */
const restOfLine = (bytes: Buffer, from: number, isLast: boolean): number | undefined =>
  lineEnd(bytes, from, isLast)?.next;

const tooLong = `the row has more than ${longestRecordBytes / 1024} KB`;

/**
 * A row of which the most bytes that a row may have do not have the end. It ends where its cells do, so that no line within a cell is taken for a row. Undefined when the part does not have its
 * end.
 */
const longRow = (bytes: Buffer, from: number, isLast: boolean): Row | undefined => {
  const found = scanned(bytes, from, isLast);
  if (found === 'unfinished') return undefined;
  const next = 'cells' in found ? found.next : restOfLine(bytes, from, isLast);
  if (next === undefined) return undefined;
  // What follows an unclosed quote is not in its row.
  return { cells: [], fault: 'cells' in found || next - from > longestRecordBytes ? tooLong : found.fault, next };
};

/** Undefined when the part ends within the row. A row that cannot be read is its first line. */
const rowAt = (bytes: Buffer, from: number, isLast: boolean): Row | undefined => {
  const limit = Math.min(bytes.length, from + longestRecordBytes);
  const found = scanned(bytes.subarray(0, limit), from, isLast && limit === bytes.length);
  if (found === 'unfinished') return limit - from === longestRecordBytes ? longRow(bytes, from, isLast) : undefined;
  if ('cells' in found) return found;
  const next = restOfLine(bytes, from, isLast);
  return next === undefined ? undefined : { cells: [], fault: found.fault, next };
};

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === lineFeed || byte === carriageReturn);

const lineFeedsIn = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count += 1;
  return count;
};

const startOf = (bytes: Buffer, line: number): number =>
  line === 1 && bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;

/** The end of the blank lines that a part of a file begins with, and the line that this is in. */
export const leadingBlankLines = (bytes: Buffer, line: number): Pick<CsvRecord, 'end' | 'nextLine'> => {
  const start = startOf(bytes, line);
  const length = bytes.subarray(start).findIndex((byte) => byte !== lineFeed && byte !== carriageReturn);
  const end = length < 0 ? bytes.length : start + length;
  return { end, nextLine: line + lineFeedsIn(bytes.subarray(0, end)) };
};

/**
 * The whole rows of a part of a file; the rest begins after the last one. `line`: the line that the part begins on. `isLast`: nothing follows
 * the part. Blank lines are left out.
 */
export function* csvRecords(
  bytes: Buffer,
  { line: firstLine, isLast }: { readonly line: number; readonly isLast: boolean },
): Generator<CsvRecord> {
  let line = firstLine;
  let from = startOf(bytes, line);
  while (from < bytes.length) {
    const row = rowAt(bytes, from, isLast);
    if (!row) return;
    const { cells, fault, next: end } = row;
    const own = bytes.subarray(from, end);
    const nextLine = line + lineFeedsIn(own);
    if (!isBlank(own)) yield { cells, line, end, nextLine, ...(fault !== undefined && { fault }) };
    [line, from] = [nextLine, end];
  }
}

/** One row. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",;\t\r\n]/.test(cell) || cell.trim() !== cell || (cell === '' && cells.length === 1) ? `"${cell.replaceAll('"', '""')}"` : cell)).join()}\r\n`;
