import { takenText } from '../../../shared/contacts/contact.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { idAt, nthId, timeOfId } from '../../../shared/kit/id.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { ImportFiles } from '../../../shared/table/transfers/import-files.ts';
import { headerOf } from '../../../shared/transfers/contact-header.ts';
import { type ContactImport, failed } from '../../../shared/transfers/contact-import.ts';
import { contactOfRow } from '../../../shared/transfers/contact-row.ts';
import { type CsvRecord, csvLine, csvRecords, leadingBlankLines } from '../../../shared/transfers/csv.ts';
import { guardedCell, unguardedCell } from '../../../shared/transfers/guarded-cell.ts';

export interface ImportRowsNeeds {
  readonly contacts: Pick<ContactStore, 'createAll' | 'taken'>;
  readonly importFiles: Pick<ImportFiles, 'find' | 'read' | 'remove' | 'growRefused'>;
  readonly clock: Clock;
}

/** Several times the longest row, so that each part has a whole one. */
const partBytes = 256 * 1024;
const idsPerMillisecond = 4_096;

/** The number of a row's block. Rows of a block have the ids of one time. A run ends with its block: were some of the next created before a save, later runs would give them other ids. */
export const blockOfRow = (row: number): number => Math.floor(row / idsPerMillisecond);

/** Depends on the row's number and what was saved before its block, so that a run which repeats it finds the contact that an earlier one created. */
const idOfRow = (importId: string, savedMs: number, row: number): string =>
  nthId(idAt(importId, savedMs + blockOfRow(row)), row % idsPerMillisecond);

interface Work {
  readonly account: AccountRef;
  readonly id: string;
  readonly before: ContactImport;
}

/** The rows of a file from where the last run ended, until the time is over or the block or the file ends. A bad row hurts no other. */
export const importRows = async (
  needs: ImportRowsNeeds,
  work: Work,
  { untilMs, atOnce }: { readonly untilMs: number; readonly atOnce: number },
): Promise<ContactImport> => {
  const refused = await needs.importFiles.growRefused(work.account, work.id, work.before.refused);
  const endRow = (blockOfRow(work.before.total) + 1) * idsPerMillisecond;
  let state = work.before;
  const isOver = (): boolean => refused.isFull() || needs.clock() >= untilMs;
  while (state.offset < state.fileBytes && state.total < endRow && !isOver()) {
    const part = await readPart(needs, work, state, endRow - state.total);
    if ('fault' in part) return failed(state, part.fault, needs.clock());
    state = part.state;
    // The first rows also where reading took all the time: a run that did none would be repeated without end.
    for (let n = 0; n < part.rows.length && (n === 0 || !isOver()); n += atOnce) {
      const rows = part.rows.slice(n, n + atOnce);
      const outcomes = await outcomesOf(needs, work, state, rows);
      for (const line of refusedLines(state, rows, outcomes)) await refused.append(line);
      state = counted(state, rows, outcomes);
    }
  }
  return { ...state, refused: await refused.keep() };
};

/** Rows end where the next one begins in the file. */
type Part = { readonly state: ContactImport; readonly rows: readonly CsvRecord[] };

/** The next whole rows of the file, `most` at most: a part can have thirty times as many. At its beginning, its header row first. */
const readPart = async (
  { importFiles }: ImportRowsNeeds,
  { account, id }: Work,
  state: ContactImport,
  most: number,
): Promise<Part | { readonly fault: string }> => {
  const { offset, fileBytes, fileTag: tag, line } = state;
  const part = await importFiles.read(account, id, { from: offset, most: partBytes, tag });
  if (!part) throw new InternalError('the file of an import is gone', {});
  const isLast = offset + part.length >= fileBytes;
  // Its upload URL takes another file while it is valid.
  if (!isLast && part.length < partBytes) return { fault: 'the file was replaced while it was read' };
  const records = [...csvRecords(part, { line, isLast }).take(state.header ? most : most + 1)];
  if (records.length === 0 && !isLast) {
    const { end, nextLine } = leadingBlankLines(part, line);
    // Nobody knows where it ends, and what is in its cells must not become contacts.
    if (end === 0) return { fault: `line ${line}: the row has more than ${partBytes / 1_024} KB` };
    return { state: { ...state, offset: offset + end, line: nextLine }, rows: [] };
  }
  const first = state.header ? undefined : records.shift();
  const found = state.header ? { header: state.header } : headerIn(first);
  if ('fault' in found) return found;
  const rows = records.map((record) => ({ ...record, end: offset + record.end }));
  const after = first && { offset: offset + first.end, line: first.nextLine };
  const end = isLast && rows.length === 0 && { offset: fileBytes };
  return { state: { ...state, header: found.header, ...after, ...end }, rows };
};

const headerIn = (record: CsvRecord | undefined): ReturnType<typeof headerOf> =>
  record && record.fault === undefined ? headerOf(record.cells) : { fault: record?.fault ?? 'the file is empty' };

type Outcome = 'created' | { readonly counts: 'duplicates' | 'errors'; readonly reason: string };

const outcomesOf = async (
  { contacts, clock }: ImportRowsNeeds,
  { account, id, before: { dryRun, savedMs = timeOfId(id) } }: Work,
  { total, header = [] }: ContactImport,
  rows: readonly CsvRecord[],
): Promise<Outcome[]> => {
  const read = rows.map(({ cells, fault }) => (fault === undefined ? contactOfRow(header, cells) : { fault }));
  const good = read.flatMap((contact, n) =>
    'details' in contact ? [{ id: idOfRow(id, savedMs, total + n), details: contact.details }] : [],
  );
  const all = dryRun
    ? await contacts.taken(account, good)
    : (await contacts.createAll(account, good, clock())).map(({ taken }) => taken);
  const taken = all.values();
  return read.map((contact): Outcome => {
    if ('fault' in contact) return { counts: 'errors', reason: contact.fault };
    const by = taken.next().value ?? [];
    return by.length > 0 ? { counts: 'duplicates', reason: takenText(by) } : 'created';
  });
};

const counted = (state: ContactImport, rows: readonly CsvRecord[], outcomes: readonly Outcome[]): ContactImport => {
  const count = (name: 'duplicates' | 'errors') =>
    outcomes.filter((outcome) => outcome !== 'created' && outcome.counts === name).length;
  const last = rows.at(-1);
  return {
    ...state,
    total: state.total + rows.length,
    created: state.created + outcomes.filter((outcome) => outcome === 'created').length,
    duplicates: state.duplicates + count('duplicates'),
    errors: state.errors + count('errors'),
    ...(last && { offset: last.end, line: last.nextLine }),
  };
};

/** The refused rows as they were sent, so that they can be corrected and imported again. */
const refusedLines = (
  { header = [], duplicates, errors }: ContactImport,
  rows: readonly CsvRecord[],
  outcomes: readonly Outcome[],
): string[] => {
  const lines = rows.flatMap(({ line, cells }, n) => {
    const outcome = outcomes[n] ?? 'created';
    if (outcome === 'created') return [];
    const own = header.flatMap((column, at) => (column ? [guardedCell(unguardedCell(cells[at] ?? ''))] : []));
    return [csvLine([String(line), outcome.reason, ...own])];
  });
  const isFirst = lines.length > 0 && duplicates + errors === 0;
  return isFirst ? [csvLine(['line', 'reason', ...header.flatMap((column) => column ?? [])]), ...lines] : lines;
};
