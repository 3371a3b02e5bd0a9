import type { Operations } from '../../client/messaging.ts';
import { jsonIn } from '../../kit/json-in.ts';
import { columnNamed, type Header, type ReadColumn } from '../../transfers/contact-header.ts';
import { guardedCell, unguardedCell } from '../../transfers/guarded-cell.ts';
import { faultOfStatus } from '../../transfers/status-cell.ts';
import { tagsIn } from '../../transfers/tags-cell.ts';

type NewContact = Operations['POST /contacts/bulk']['request']['body']['contacts'][number];

/** The first columns of a file of refused rows. */
const why = ['line', 'reason'] as const;

class FaultyCell extends Error {}

/** A number without leading and trailing zeros, so that two texts of one value are equal. */
const canonical = (number: string): string => {
  const [, whole = '', part = '', power = '0'] = /^(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '0' : `${kept}e${Number(power) - part.length + digits.length - kept.length}`;
};

/** Whether a page that parses this number writes one of the same value. */
const isKept = (number: string): boolean =>
  Number.isFinite(Number(number)) && canonical(number) === canonical(String(Number(number)));

const customFieldsIn = (text: string): unknown => {
  const numbers = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/\d[\d.e+-]*/gi) ?? [];
  if (!numbers.every(isKept))
    throw new FaultyCell('has a number that this page would change; import the file with POST /api/v1/contacts/import');
  const value = jsonIn(text);
  if (value === undefined) throw new FaultyCell('must be a JSON object');
  return value;
};

const readers: Partial<Readonly<Record<ReadColumn, (text: string) => unknown>>> = {
  tags: tagsIn,
  customFields: customFieldsIn,
};

/** The contact of a row, or why it has none. An empty cell is an omitted field; the server checks the values. */
export const contactOf = (
  header: Header,
  cells: readonly string[],
): { readonly contact?: NewContact; readonly fault?: string } => {
  if (cells.length !== header.length)
    return { fault: `the row has ${cells.length} fields, the header row ${header.length}` };
  const status = faultOfStatus(cells[header.indexOf('status')] ?? '');
  if (status !== undefined) return { fault: `status: ${status}` };
  try {
    const fields = header.flatMap((column, i) => {
      const text = unguardedCell(cells[i] ?? '').trim();
      return column && column !== 'status' && text !== '' ? [[column, readers[column]?.(text) ?? text] as const] : [];
    });
    return { contact: Object.fromEntries(fields) };
  } catch (thrown) {
    if (!(thrown instanceof FaultyCell)) throw thrown;
    return { fault: `customFields: ${thrown.message}` };
  }
};

interface RefusedRow {
  readonly line: number;
  readonly reason: string;
  readonly cells: readonly string[];
}

/** The rows of a file of refused rows, with its header. Corrected, it can be imported, and so can what is refused of it. */
export const refusedFile = (header: readonly string[], refused: readonly RefusedRow[]): readonly string[][] => {
  const isOwn = header.map((name) => !why.some((column) => column === columnNamed(name)));
  const own = (cells: readonly string[]) => cells.filter((_, i) => isOwn[i] ?? true);
  return [
    [...why, ...own(header)],
    ...refused.map(({ line, reason, cells }) => [
      String(line),
      reason,
      ...own(cells).map((text) => guardedCell(unguardedCell(text))),
    ]),
  ];
};
